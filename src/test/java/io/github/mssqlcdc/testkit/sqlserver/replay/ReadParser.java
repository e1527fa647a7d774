package io.github.mssqlcdc.testkit.sqlserver.replay;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Condition;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Query;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Statement;
import io.github.mssqlcdc.testkit.sqlserver.tsql.TSql;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds which rows of a replayed table a query reads: all of them, a range of keys or of LSNs, or
 * one of the library's ranges, which may begin and end inside a commit.
 */
final class ReadParser {
  private static final Set<String> AGGREGATES =
      Set.of("COUNT", "COUNT_BIG", "MIN", "MAX", "SUM", "AVG");

  private final List<Replayed> tables;
  private final Scalars scalars;

  ReadParser(List<Replayed> tables, Scalars scalars) {
    this.tables = tables;
    this.scalars = scalars;
  }

  /**
   * What the query reads of a replayed table that stands first in its FROM; null if none does.
   *
   * @throws SqlServerError it asks for more than rows in their order
   */
  @Nullable ReplayRead parse(Query query) throws SqlServerError {
    return read(query.body());
  }

  /** The whole table whose size a call of {@code sp_spaceused} asks for; null for any other. */
  @Nullable ReplayRead sizeOf(Statement.Execute call) throws SqlServerError {
    return last(call.procedure()).equals("sp_spaceused") && !call.arguments().isEmpty()
        ? whole(last(TSql.parseName(scalars.require(call.arguments().get(0).value()).toString())))
        : null;
  }

  private static String last(List<String> name) {
    return name.get(name.size() - 1);
  }

  private @Nullable ReplayRead read(Query.Body body) throws SqlServerError {
    if (body instanceof Query.Nested nested) {
      return parse(nested.query());
    }
    if (body instanceof Query.SetOperation operation) {
      return read(operation.left());
    }
    Query.Select select = (Query.Select) body;
    ReplayRead read = select.from().isEmpty() ? null : read(select.from().get(0));
    if (read == null) {
      return null;
    }
    requireRows(select);
    boolean isRange = read.kind() == ReplayRead.Kind.CHANGES && scalars.bytes("@after") != null;
    ReplayRead found =
        isRange ? range(read.table()) : select.where() == null ? read : where(select.where(), read);
    return select.top() == null || isRange
        ? found
        : found.atMost(scalars.requireNumber(select.top().rows()));
  }

  private @Nullable ReplayRead read(Query.TableSource source) throws SqlServerError {
    if (source instanceof Query.Join join) {
      return read(join.left());
    }
    if (source instanceof Query.DerivedTable derived) {
      return parse(derived.query());
    }
    return source instanceof Query.NamedTable named ? whole(last(named.name())) : null;
  }

  private @Nullable ReplayRead whole(String spelled) {
    String name = spelled.toLowerCase(Locale.ROOT);
    for (Replayed table : tables) {
      if (name.equals(table.table().name().toLowerCase(Locale.ROOT))) {
        return ReplayRead.of(table, ReplayRead.Kind.TABLE, 0, table.table().rows());
      }
      if (name.equals(table.table().captureInstance().toLowerCase(Locale.ROOT) + "_ct")) {
        return ReplayRead.of(table, ReplayRead.Kind.CHANGES, 0, table.table().changes());
      }
    }
    return null;
  }

  private static void requireRows(Query.Select select) throws SqlServerError {
    boolean aggregates =
        select.items().stream()
            .anyMatch(
                item ->
                    item instanceof Query.Column column
                        && column.expression() instanceof Expression.Call call
                        && call.over() == null
                        && AGGREGATES.contains(last(call.name()).toUpperCase(Locale.ROOT)));
    if (aggregates || select.distinct() || !select.groupBy().isEmpty()) {
      throw Scalars.refused("aggregates, DISTINCT and GROUP BY");
    }
  }

  /** By the variables that the library declares for its ranges. */
  private ReplayRead range(Replayed table) throws SqlServerError {
    Commits commits = table.commits();
    byte[] after = scalars.bytes("@after");
    byte[] through = scalars.bytes("@through");
    if (after == null || through == null) {
      throw Scalars.refused("a range without both ends");
    }
    byte[] from = scalars.bytes("@from_seqval");
    byte[] before = scalars.bytes("@before_seqval");
    return ReplayRead.of(
        table,
        ReplayRead.Kind.CHANGES,
        from == null ? commits.through(after) : Commits.rowOf(from),
        before == null ? commits.through(through) : Commits.rowOf(before));
  }

  private ReplayRead where(Condition condition, ReplayRead read) throws SqlServerError {
    if (condition instanceof Condition.And and) {
      return where(and.right(), where(and.left(), read));
    }
    if (condition instanceof Condition.Or or && or.right() instanceof Condition.IsNull) {
      return where(or.left(), read); // neither a key nor an LSN is NULL
    }
    if (condition instanceof Condition.Not not && not.operand() instanceof Condition.IsNull) {
      return read;
    }
    if (condition instanceof Condition.Comparison comparison) {
      return compare(comparison, read);
    }
    throw Scalars.refused("the condition " + condition);
  }

  private ReplayRead compare(Condition.Comparison comparison, ReplayRead read)
      throws SqlServerError {
    if (!(comparison.left() instanceof Expression.Name name)) {
      long left = scalars.requireNumber(comparison.left());
      boolean holds = left == scalars.requireNumber(comparison.right());
      return holds ? read : read.atMost(0);
    }
    String column = last(name.parts());
    long below; // rows that come before the value
    long through; // and those that have it as well
    if (column.equals("id")) {
      long id = scalars.requireNumber(comparison.right());
      below = Math.max(0, id - 1);
      through = Math.max(0, id);
    } else if (column.equals("__$start_lsn")
        && scalars.require(comparison.right()) instanceof byte[] lsn) {
      below = read.table().commits().below(lsn);
      through = read.table().commits().through(lsn);
    } else {
      throw Scalars.refused("a condition on " + column);
    }
    return switch (comparison.operator()) {
      case "<" -> narrowed(read, 0, below);
      case "<=" -> narrowed(read, 0, through);
      case ">" -> narrowed(read, through, Long.MAX_VALUE);
      case ">=" -> narrowed(read, below, Long.MAX_VALUE);
      case "=" -> narrowed(read, below, through);
      default -> throw Scalars.refused("operator " + comparison.operator());
    };
  }

  private static ReplayRead narrowed(ReplayRead read, long from, long to) {
    return ReplayRead.of(
        read.table(), read.kind(), Math.max(read.from(), from), Math.min(read.to(), to));
  }
}
