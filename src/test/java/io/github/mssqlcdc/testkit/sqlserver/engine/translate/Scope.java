package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tables whose columns can be named at one place, and the scope around it. */
final class Scope {
  private final @Nullable Scope outer;
  private final List<Source> sources = new ArrayList<>();

  /** Expressions of GROUP BY; null: rows aren't grouped. */
  private @Nullable Set<Expression> groups;

  private int insideAggregates;

  Scope(@Nullable Scope outer) {
    this.outer = outer;
  }

  List<Source> sources() {
    return sources;
  }

  void add(Source source) throws SqlServerError {
    for (Source other : sources) {
      if (other.clashes(source)) {
        throw new SqlServerError(
            1013,
            16,
            1,
            "The objects \""
                + source.name()
                + "\" and \""
                + other.name()
                + "\" in the FROM clause have the same exposed names. Use correlation names to"
                + " distinguish them.");
      }
    }
    sources.add(source);
  }

  void group(List<Expression> expressions) {
    groups = new HashSet<>(expressions);
  }

  boolean isGrouped() {
    return groups != null && insideAggregates == 0;
  }

  boolean isGroup(Expression expression) {
    return groups != null && groups.contains(expression);
  }

  void enterAggregate() {
    insideAggregates++;
  }

  void leaveAggregate() {
    insideAggregates--;
  }

  /** The column of these name parts, here or in a scope around. */
  Typed resolve(List<String> parts) throws SqlServerError {
    String column = parts.get(parts.size() - 1);
    Typed found = null;
    for (Source source : sources) {
      if (!source.isNamed(parts.subList(0, parts.size() - 1))) {
        continue;
      }
      Typed candidate = source.find(column);
      if (candidate != null && found != null) {
        throw new SqlServerError(209, 16, 1, "Ambiguous column name '" + column + "'.");
      }
      found = candidate == null ? found : candidate;
    }
    if (found != null) {
      checkGrouped(parts, column);
      return isGrouped() ? ofGroup(found) : found;
    }
    if (outer != null) {
      return outer.resolve(parts);
    }
    throw unknown(parts, column);
  }

  /** Strings are grouped by their keys: of those that are equal, any stands for the group. */
  static Typed ofGroup(Typed value) {
    return Types.isCharacter(value.type()) && !value.isConstant()
        ? Typed.of("ANY_VALUE(" + value.text() + ")", value.type(), value.nullable())
        : value;
  }

  private void checkGrouped(List<String> parts, String column) throws SqlServerError {
    if (!isGrouped() || groups == null) {
      return;
    }
    boolean inGroup =
        groups.stream()
            .anyMatch(
                g ->
                    g instanceof Expression.Name name
                        && sources
                            .get(0)
                            .isColumn(name.parts().get(name.parts().size() - 1), column));
    if (!inGroup) {
      throw new SqlServerError(
          8120,
          16,
          1,
          "Column '"
              + String.join(".", parts)
              + "' is invalid in the select list because it is not contained in either an"
              + " aggregate function or the GROUP BY clause.");
    }
  }

  private static SqlServerError unknown(List<String> parts, String column) {
    if (parts.size() == 1) {
      return Errors.unknownColumn(column);
    }
    return new SqlServerError(
        4104,
        16,
        1,
        "The multi-part identifier \"" + String.join(".", parts) + "\" could not be bound.");
  }
}
