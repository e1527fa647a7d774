package io.github.mssqlcdc.control;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.when;

import io.github.mssqlcdc.delta.schema.VersionedTable;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.delta.table.Merge.Clause;
import io.github.mssqlcdc.delta.table.TableDefinition;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A row per table: its verdict, and of a silver table its position. Many writers may share it, each
 * with a table of its own. Not thread-safe.
 */
public final class ControlTable {
  private static final StructType SCHEMA =
      new StructType(
          Arrays.stream(ControlColumn.values())
              .map(ControlColumn::field)
              .toArray(StructField[]::new));

  /** What a control table of any version has. */
  private static final List<ControlColumn> IDENTITY =
      List.of(ControlColumn.TABLE_NAME, ControlColumn.FINALIZED_UNTIL);

  private static final List<ControlColumn> OF_THE_VERDICT =
      List.of(ControlColumn.FINALIZED_UNTIL, ControlColumn.END_LSN, ControlColumn.END_COMMIT_TS);

  private final LakeTable table;
  private final Clock clock;

  private ControlTable(LakeTable table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  /**
   * The control table, created if there is none.
   *
   * @param clock in UTC
   * @throws InvalidRequestException if the table there is no control table, or one of a later
   *     release
   */
  public static ControlTable open(LakeTable table, Clock clock) {
    if (table.exists()) {
      requireColumns(table, IDENTITY);
    }
    VersionedTable.open(
        table,
        new TableDefinition(
            "How far tables are final: one row per table, written by ingestion and silver",
            SCHEMA,
            List.of(
                ControlColumn.TABLE_NAME.columnName(), ControlColumn.FINALIZED_UNTIL.columnName()),
            Map.of()));
    requireColumns(table, List.of(ControlColumn.values()));
    return new ControlTable(table, clock);
  }

  private static void requireColumns(LakeTable table, List<ControlColumn> columns) {
    VersionedTable.requireColumns(
        table,
        columns.stream().map(ControlColumn::field).toList(),
        "keep verdicts in",
        "control table");
  }

  /** The row of a table, whose name is compared letter by letter. A Spark job. */
  public Optional<ControlEntry> find(String name) {
    return table
        .read()
        .where(col(ControlColumn.TABLE_NAME.columnName()).equalTo(name))
        .limit(1)
        .collectAsList()
        .stream()
        .findFirst()
        .map(ControlRows::entry);
  }

  /**
   * Moves a table's verdict, never back. Nothing is written where the row says as much already.
   *
   * @param history of the source that the verdict's LSN belongs to
   * @return the verdict that the table has now: this one, or one that is further
   */
  public Verdict advance(String name, Verdict verdict, int history) {
    Verdict stored = find(name).map(ControlEntry::verdict).orElse(null);
    if (!verdict.isBeyond(stored)) {
      return stored == null ? verdict : stored;
    }
    ControlEntry entry = new ControlEntry(name, verdict, AppliedPosition.NONE, history, now());
    Map<String, Column> values = new HashMap<>();
    OF_THE_VERDICT.forEach(column -> values.put(column.columnName(), column.ofRow()));
    put(entry, isBeyond(), values);
    return find(name).map(ControlEntry::verdict).orElse(verdict);
  }

  /**
   * Puts down how far a silver table is, and moves its verdict, never back.
   *
   * @param verdict null: it stays as it is
   * @return the row as it stands now
   */
  public ControlEntry apply(
      String name, AppliedPosition position, @Nullable Verdict verdict, int history) {
    ControlEntry entry = new ControlEntry(name, verdict, position, history, now());
    Map<String, Column> values = new HashMap<>();
    Stream.of(
            ControlColumn.APPLIED_LSN,
            ControlColumn.SNAPSHOT_LSN,
            ControlColumn.OPEN_SNAPSHOT_LSN,
            ControlColumn.SNAPSHOT_VERSION)
        .forEach(column -> values.put(column.columnName(), column.ofRow()));
    OF_THE_VERDICT.forEach(
        column ->
            values.put(
                column.columnName(), when(isBeyond(), column.ofRow()).otherwise(column.ofTable())));
    put(entry, lit(true), values);
    return find(name).orElse(entry);
  }

  private static Column isBeyond() {
    Column there = ControlColumn.FINALIZED_UNTIL.ofTable();
    Column given = ControlColumn.FINALIZED_UNTIL.ofRow();
    return given.isNotNull().and(there.isNull().or(given.gt(there)));
  }

  private void put(ControlEntry entry, Column when, Map<String, Column> values) {
    Map<String, Column> changed = new HashMap<>(values);
    for (ControlColumn column : List.of(ControlColumn.UPDATED_AT, ControlColumn.HISTORY)) {
      changed.put(column.columnName(), column.ofRow());
    }
    Map<String, Column> all = new HashMap<>();
    for (ControlColumn column : ControlColumn.values()) {
      all.put(column.columnName(), column.ofRow());
    }
    // the name as a value, not a column: so that rows of other tables are no reason for a conflict
    Column on = ControlColumn.TABLE_NAME.ofTable().equalTo(lit(entry.table()));
    table
        .changes()
        .merge(
            List.of(ControlRows.row(entry)),
            SCHEMA,
            on,
            List.of(new Clause.Update(when, changed), new Clause.Insert(lit(true), all)));
  }

  private LocalDateTime now() {
    return LocalDateTime.now(clock).truncatedTo(ChronoUnit.MICROS);
  }
}
