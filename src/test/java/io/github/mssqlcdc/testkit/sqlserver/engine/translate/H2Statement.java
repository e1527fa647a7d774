package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement for H2.
 *
 * @param values bound by index, the first is {@code ?1}
 * @param columns of the result; empty for a change of rows
 * @param reads tables read
 * @param hints table hints written in it
 */
public record H2Statement(
    String sql,
    List<@Nullable Object> values,
    List<Output> columns,
    List<Table> reads,
    Set<String> hints) {

  /** Whether the columns' values go to variables. */
  public boolean assigns() {
    return !columns.isEmpty() && columns.get(0).variable() != null;
  }
}
