package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.error.SchemaChangedException;
import io.github.mssqlcdc.source.row.CaptureSet;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.type.CapturedColumn;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Whether a query, whose columns are fixed when it starts, can go on with what its table's capture
 * instances have now. Immutable.
 */
final class QueryFit {
  private final StructType schema;
  private final @Nullable String columns;
  private final Set<String> offered;

  /**
   * @param schema what the query reads
   * @param columns option {@code columns}; null: all are read
   * @param table as it is when the query starts: what a schema leaves out of that, it leaves out on
   *     purpose
   */
  QueryFit(StructType schema, @Nullable String columns, CaptureSet table) {
    this.schema = schema;
    this.columns = columns;
    this.offered = offered(table);
  }

  /**
   * For the facade, whose query reads all columns: one that came since the schema was looked up
   * would be left out for as long as the query runs.
   *
   * @throws SchemaChangedException if one is missing
   */
  static void requireAll(StructType schema, CaptureSet table) {
    Set<String> missing = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    missing.addAll(RowLayout.offered(table.columns()));
    Arrays.asList(schema.fieldNames()).forEach(missing::remove);
    if (!missing.isEmpty()) {
      throw changed(table, "it has " + String.join(", ", missing) + " now", null);
    }
  }

  /**
   * How each instance's rows are read, by the ids of their change tables.
   *
   * @throws InvalidRequestException if a column is unknown, or is read in a type that doesn't hold
   *     its values
   */
  Map<Integer, RowLayout> layouts(CaptureSet table) {
    Map<Integer, RowLayout> layouts = new HashMap<>();
    table
        .tables()
        .forEach(
            one ->
                layouts.put(
                    one.instance().changeTableId(),
                    RowLayout.of(schema, table.columnsIn(one.instance()))));
    return layouts;
  }

  /**
   * The same of a table that has changed while the query runs.
   *
   * @throws SchemaChangedException if the query doesn't fit any more, or can't tell what it would
   *     after a restart
   */
  Map<Integer, RowLayout> layoutsAfterChange(CaptureSet table) {
    try {
      Set<String> missing = offered(table);
      missing.removeAll(offered);
      Arrays.asList(schema.fieldNames()).forEach(missing::remove);
      if (!missing.isEmpty()) {
        throw changed(table, "it has " + String.join(", ", missing) + " now", null);
      }
      return layouts(table);
    } catch (SchemaChangedException e) {
      throw e;
    } catch (CdcException | InvalidRequestException e) {
      throw changed(table, String.valueOf(e.getMessage()), e);
    }
  }

  /** Columns of the query that an instance doesn't have. */
  List<String> notCaptured(CaptureSet table, CaptureInstance instance) {
    Set<String> read = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    read.addAll(Arrays.asList(schema.fieldNames()));
    return table.columnsIn(instance).stream()
        .filter(column -> !column.isCaptured())
        .map(CapturedColumn::name)
        .filter(read::contains)
        .collect(Collectors.toList());
  }

  /**
   * Columns of the query that one instance has and an older one doesn't: what was written to them
   * before the newer began is in neither. Computed ones never have values, dropped ones none now.
   */
  List<String> broughtBy(CaptureSet table, CaptureInstance newer, CaptureInstance older) {
    Set<String> missing = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    missing.addAll(notCaptured(table, older));
    return table.columnsIn(newer).stream()
        .filter(column -> column.isCaptured() && column.isOnTable() && !column.isComputed())
        .map(CapturedColumn::name)
        .filter(missing::contains)
        .toList();
  }

  /** What a query that is started now would read. */
  private Set<String> offered(CaptureSet table) {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    names.addAll(
        columns == null
            ? RowLayout.offered(table.columns())
            : List.of(RowLayout.declared(Set.of(), columns, table::columns).fieldNames()));
    return names;
  }

  private static SchemaChangedException changed(
      CaptureSet table, String what, @Nullable Throwable cause) {
    return new SchemaChangedException(
        "Cannot go on with the changes of "
            + table.asked().tableName()
            + ": the table's columns have changed, and the query doesn't fit them ("
            + what
            + "). Nothing of the batch was read. Restart the query for a new schema; where option"
            + " 'columns' or a schema is given, adapt that first",
        cause);
  }
}
