package io.github.mssqlcdc.metric;

import io.github.mssqlcdc.lsn.Lsn;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happened to the source's table or its capture inside a batch. */
public sealed interface SourceEvent {

  /** Where in the log. */
  Lsn lsn();

  /** When, UTC: commit time of the last entry of the LSN map at or before that; null if unknown. */
  @Nullable LocalDateTime commitTs();

  /**
   * The table's columns were changed.
   *
   * @param statement the DDL as it was written
   */
  record SchemaChanged(Lsn lsn, @Nullable LocalDateTime commitTs, String statement)
      implements SourceEvent {}

  /**
   * A newer capture instance took over.
   *
   * @param lsn its first LSN: from there on it is read
   * @param from name of the instance read before
   * @param to its own name
   * @param notCaptured columns that the query reads and the newer instance doesn't have
   */
  record InstanceSwitched(
      Lsn lsn, @Nullable LocalDateTime commitTs, String from, String to, List<String> notCaptured)
      implements SourceEvent {

    public InstanceSwitched {
      notCaptured = List.copyOf(notCaptured);
    }
  }

  /**
   * A column came with the instance that took over: what was written to it before is in no change
   * table.
   *
   * @param lsn first LSN of the instance that captures it
   * @param to that instance's name
   * @param from LSN of the statement that added it, as far as CDC tells; null: its values were
   *     never captured before
   * @param fromTs commit time there, UTC; null if unknown
   */
  record ColumnGap(
      Lsn lsn,
      @Nullable LocalDateTime commitTs,
      String to,
      String column,
      @Nullable Lsn from,
      @Nullable LocalDateTime fromTs)
      implements SourceEvent {}
}
