package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.keyrange.ColumnFilter;
import io.github.mssqlcdc.keyrange.ColumnFilter.Operator;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.ReadColumn;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;

/**
 * Translates those of Spark's conditions that the server decides as Spark does: on whole numbers,
 * decimals and dates, whose values and order are the same for both. Not on text, which the server
 * compares by collation, nor on times, of which Spark has fewer digits.
 */
final class PushedFilters {
  /** Each value takes one of the 2100 parameters of a statement. */
  private static final int MAX_VALUES = 500;

  private static final Set<String> TYPES =
      Set.of("tinyint", "smallint", "int", "bigint", "decimal", "numeric", "date");

  private final CapturedTable table;
  private final RowLayout layout;

  /**
   * @param layout all columns that a condition may name
   */
  PushedFilters(CapturedTable table, RowLayout layout) {
    this.table = table;
    this.layout = layout;
  }

  /** The condition as filters that all have to hold; empty if it is Spark's to decide. */
  Optional<List<ColumnFilter>> translate(Predicate predicate) {
    Expression[] children = predicate.children();
    return switch (predicate.name()) {
      case "AND" -> both(children);
      case "IS_NULL" -> column(children[0]).map(c -> test(c, Operator.IS_NULL));
      case "IS_NOT_NULL" -> column(children[0]).map(c -> test(c, Operator.IS_NOT_NULL));
      case "IN" -> in(children);
      case "=" -> comparison(children, Operator.EQUAL, Operator.EQUAL);
      case "<" -> comparison(children, Operator.LESS, Operator.GREATER);
      case "<=" -> comparison(children, Operator.LESS_OR_EQUAL, Operator.GREATER_OR_EQUAL);
      case ">" -> comparison(children, Operator.GREATER, Operator.LESS);
      case ">=" -> comparison(children, Operator.GREATER_OR_EQUAL, Operator.LESS_OR_EQUAL);
      default -> Optional.empty();
    };
  }

  private Optional<List<ColumnFilter>> both(Expression[] children) {
    List<ColumnFilter> filters = new ArrayList<>();
    for (Expression child : children) {
      Optional<List<ColumnFilter>> part =
          child instanceof Predicate predicate ? translate(predicate) : Optional.empty();
      if (part.isEmpty()) {
        return Optional.empty();
      }
      filters.addAll(part.get());
    }
    return Optional.of(filters);
  }

  /**
   * @param turned what it is where the value stands on the left
   */
  private Optional<List<ColumnFilter>> comparison(
      Expression[] children, Operator operator, Operator turned) {
    return children[0] instanceof Literal<?>
        ? compared(children[1], turned, children[0])
        : compared(children[0], operator, children[1]);
  }

  private Optional<List<ColumnFilter>> in(Expression[] children) {
    return children.length < 2 || children.length > MAX_VALUES
        ? Optional.empty()
        : compared(children[0], Operator.IN, Arrays.copyOfRange(children, 1, children.length));
  }

  /** A value that the column's type doesn't hold, such as 300 for a tinyint, is Spark's. */
  private Optional<List<ColumnFilter>> compared(
      Expression reference, Operator operator, Expression... literals) {
    Optional<KeyColumn> column = column(reference);
    List<String> values = new ArrayList<>();
    for (Expression literal : literals) {
      text(literal).ifPresent(values::add);
    }
    if (column.isEmpty() || values.size() < literals.length) {
      return Optional.empty();
    }
    try {
      return Optional.of(List.of(new ColumnFilter(column.get(), operator, values)));
    } catch (IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }

  private static List<ColumnFilter> test(KeyColumn column, Operator operator) {
    return List.of(new ColumnFilter(column, operator, List.of()));
  }

  private static Optional<String> text(Expression expression) {
    if (!(expression instanceof Literal<?> literal) || literal.value() == null) {
      return Optional.empty();
    }
    DataType type = literal.dataType();
    if (type instanceof DateType) {
      return Optional.of(LocalDate.ofEpochDay((Integer) literal.value()).toString());
    }
    boolean isNumber =
        type instanceof ByteType
            || type instanceof ShortType
            || type instanceof IntegerType
            || type instanceof LongType
            || type instanceof DecimalType;
    return isNumber ? Optional.of(literal.value().toString()) : Optional.empty();
  }

  /** A column that the server is asked for, of a type that both see alike. */
  private Optional<KeyColumn> column(Expression expression) {
    if (!(expression instanceof NamedReference reference) || reference.fieldNames().length != 1) {
      return Optional.empty();
    }
    String name = reference.fieldNames()[0];
    return layout.captured().stream()
        .filter(column -> column.field().name().equals(name) && column.isSelected())
        .findFirst()
        .flatMap(this::captured)
        .filter(column -> TYPES.contains(column.type().name()))
        // the server would compare what the mask hides
        .filter(column -> !column.isMasked() && !column.isEncrypted())
        .map(KeyColumn::of);
  }

  private Optional<CapturedColumn> captured(ReadColumn read) {
    return table.columns().stream().filter(column -> column.name().equals(read.name())).findFirst();
  }
}
