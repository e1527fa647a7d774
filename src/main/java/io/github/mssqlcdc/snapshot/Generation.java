package io.github.mssqlcdc.snapshot;

import io.github.mssqlcdc.facts.SinkIds;
import io.github.mssqlcdc.offset.Offset;
import org.jspecify.annotations.Nullable;

/**
 * A stream's life between two losses: each begins with a snapshot of its own, and has a checkpoint
 * and a sink id of its own.
 *
 * @param number 0 for the first
 * @param start S: where it begins; null for a first one without a snapshot
 * @param history history of the source that S belongs to
 */
public record Generation(int number, @Nullable Offset start, int history) {
  public static final Generation FIRST = new Generation(0, null, 0);

  /** The stream's id in its tables. */
  public String sinkId(String appId) {
    return SinkIds.of(appId, number);
  }
}
