package io.github.mssqlcdc.control;

import io.github.mssqlcdc.lsn.Lsn;
import java.time.LocalDateTime;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;

/** Entries as rows of the control table, and back. */
final class ControlRows {
  private ControlRows() {}

  static Row row(ControlEntry entry) {
    Map<ControlColumn, @Nullable Object> values = new EnumMap<>(ControlColumn.class);
    values.put(ControlColumn.TABLE_NAME, entry.table());
    Verdict verdict = entry.verdict();
    if (verdict != null) {
      values.put(ControlColumn.FINALIZED_UNTIL, verdict.finalizedUntil());
      values.put(ControlColumn.END_LSN, text(verdict.endLsn()));
      values.put(ControlColumn.END_COMMIT_TS, verdict.endCommitTs());
    }
    values.put(ControlColumn.UPDATED_AT, entry.updatedAt());
    values.put(ControlColumn.APPLIED_LSN, text(entry.position().applied()));
    values.put(ControlColumn.SNAPSHOT_LSN, text(entry.position().snapshot()));
    values.put(ControlColumn.OPEN_SNAPSHOT_LSN, text(entry.position().openSnapshot()));
    values.put(ControlColumn.SNAPSHOT_VERSION, entry.position().snapshotVersion());
    values.put(ControlColumn.HISTORY, entry.history());
    return RowFactory.create(Stream.of(ControlColumn.values()).map(values::get).toArray());
  }

  static ControlEntry entry(Row row) {
    LocalDateTime until = value(row, ControlColumn.FINALIZED_UNTIL);
    Integer history = value(row, ControlColumn.HISTORY);
    String table = value(row, ControlColumn.TABLE_NAME);
    return new ControlEntry(
        String.valueOf(table),
        until == null
            ? null
            : new Verdict(
                until, lsn(row, ControlColumn.END_LSN), value(row, ControlColumn.END_COMMIT_TS)),
        new AppliedPosition(
            lsn(row, ControlColumn.APPLIED_LSN),
            lsn(row, ControlColumn.SNAPSHOT_LSN),
            lsn(row, ControlColumn.OPEN_SNAPSHOT_LSN),
            value(row, ControlColumn.SNAPSHOT_VERSION)),
        history == null ? 0 : history,
        value(row, ControlColumn.UPDATED_AT));
  }

  private static <T> @Nullable T value(Row row, ControlColumn column) {
    return row.getAs(column.columnName());
  }

  private static @Nullable Lsn lsn(Row row, ControlColumn column) {
    String text = value(row, column);
    return text == null ? null : Lsn.parse(text);
  }

  private static @Nullable String text(@Nullable Lsn lsn) {
    return lsn == null ? null : lsn.toString();
  }
}
