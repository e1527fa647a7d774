package io.github.mssqlcdc.facts;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;

/** One row of the facts table; columns not set are null. Immutable. */
public final class FactsRow {
  public static final FactsRow EMPTY = new FactsRow(new EnumMap<>(FactsColumn.class));

  private final Map<FactsColumn, Object> values;

  private FactsRow(Map<FactsColumn, Object> values) {
    this.values = values;
  }

  /**
   * This row with a value in a column; null empties it.
   *
   * @throws IllegalArgumentException if the value is of another type than the column
   */
  public FactsRow with(FactsColumn column, @Nullable Object value) {
    Map<FactsColumn, Object> copy = new EnumMap<>(FactsColumn.class);
    copy.putAll(values);
    if (value == null) {
      copy.remove(column);
    } else if (column.holds(value)) {
      copy.put(column, value);
    } else {
      throw new IllegalArgumentException(
          "Cannot hold a " + value.getClass().getSimpleName() + " in " + column.columnName());
    }
    return new FactsRow(copy);
  }

  public @Nullable Object value(FactsColumn column) {
    return values.get(column);
  }

  Row row() {
    return RowFactory.create(Stream.of(FactsColumn.values()).map(values::get).toArray());
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
