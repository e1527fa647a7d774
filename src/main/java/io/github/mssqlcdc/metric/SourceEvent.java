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
}
