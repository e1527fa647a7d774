package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.LossKind;
import io.github.mssqlcdc.metric.SkippedChanges;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.source.stream.Instances.Part;
import java.time.LocalDateTime;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells ledger and log of the gaps that planned batches go on over; each once, though several
 * batches lie in it. Not thread-safe.
 */
final class Gaps {
  private static final Logger LOG = LoggerFactory.getLogger(Gaps.class);

  private final BatchLedger ledger;
  private @Nullable SkippedChanges last;

  Gaps(BatchLedger ledger) {
    this.ledger = ledger;
  }

  /**
   * @param minLsn what is below it is gone
   * @param at its commit time, UTC
   * @param cause asked for when it is told
   */
  record Lost(Lsn minLsn, @Nullable LocalDateTime at, LossKind kind, Supplier<String> cause) {

    /**
     * What a batch replayed tells may stand in no table, if its facts were written before the
     * crash: what is gone beyond its end is for the next batch to tell.
     */
    Lost within(Offset end) {
      return minLsn.isAfter(end.lsn())
          ? new Lost(end.lsn().next(), end.commitTs(), kind, cause)
          : this;
    }
  }

  /**
   * Of a batch that lies in a gap told before only the part beyond it is told.
   *
   * @param doubt null: the changes are gone for certain
   */
  void tell(@Nullable String doubt, Offset start, Offset end, Part part, Lost lost) {
    Lsn first = part.after().next();
    Lsn from = last != null && last.holds(first) ? last.to() : first;
    if (!from.isBefore(lost.minLsn())) {
      return;
    }
    SkippedChanges skip =
        new SkippedChanges(
            part.source().instance().name(),
            from,
            lost.minLsn(),
            start.commitTs(),
            lost.at(),
            doubt,
            lost.kind());
    ledger.skipped(start, end, skip);
    if (!skip.equals(last)) {
      last = skip;
      LOG.warn(
          "Capture instance '{}': {} the changes from {} up to min LSN {} (commit time {} UTC): {}",
          skip.captureInstance(),
          doubt == null ? "skipped" : "may have skipped",
          skip.from(),
          skip.to(),
          skip.toTs(),
          doubt == null ? lost.cause().get() : doubt);
    }
  }
}
