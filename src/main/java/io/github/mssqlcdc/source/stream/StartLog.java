package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.offset.Offset;
import java.util.Optional;

/**
 * Keeps where a stream began. Spark's log has the ends of batches only: of a first batch that has
 * to be replayed it asks the source for the start again, and by then the oldest or newest commit
 * may be another one.
 */
interface StartLog {
  /** The start that was kept, if Spark has planned a batch from it; else it may still change. */
  Optional<Offset> ofPlanned();

  /** Called before a batch is planned from it. */
  void keep(Offset start);
}
