package io.github.mssqlcdc.metric;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import java.time.LocalDateTime;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a stream's source and its sink meet on the driver: the source writes down what it planned
 * and measured, the sink reads it. Thread-safe.
 */
public interface BatchLedger {

  /** The work on a batch begins: it will be planned. */
  void begun();

  /**
   * A batch has been planned; replaces the one before.
   *
   * @param ranges how many ranges will report; with none the batch measures as {@code marks} say
   */
  void planned(Offset start, Offset end, int ranges, BatchMeasure marks);

  /**
   * A range of the batch planned last has been read; a second report of the same range replaces the
   * first, one of another batch is ignored.
   *
   * @param range its index, from 0
   */
  void reported(Offset start, Offset end, int range, RangeMeasure measure);

  /**
   * Changes of the batch planned last were skipped, or may have been: known in planning, or found
   * by the read of a range. Findings of several ranges are one gap; one of another batch is
   * ignored.
   */
  void skipped(Offset start, Offset end, SkippedChanges skip);

  /** What happened to the source in the batch planned last; one of another batch is ignored. */
  void happened(Offset start, Offset end, List<SourceEvent> events);

  /** The batch planned last; null before the first. */
  @Nullable Batch current();

  /** Adds a warning for the facts; the next row written takes it, once. */
  void warn(String warning);

  /** Takes the warnings added so far. */
  List<String> takeWarnings();

  /** Says that the target already holds every batch up to this LSN: a replay needs no read. */
  void heldThrough(Lsn lsn);

  /** See {@link #heldThrough(Lsn)}; null if nothing is held. */
  @Nullable Lsn held();

  /**
   * Says up to which LSN the facts have every batch, asked for when a batch is replayed: those
   * beyond what is held had no rows. Without it they reach as far as what is held.
   *
   * @param lsn gives null if they have none
   */
  void toldThrough(Supplier<@Nullable Lsn> lsn);

  /** See {@link #toldThrough}; null if nothing is told. */
  @Nullable Lsn told();

  /** A planned batch. */
  interface Batch {
    Offset start();

    Offset end();

    /** When the work on it began, UTC. */
    LocalDateTime startedAt();

    /** The marks and what the ranges have reported so far, folded; call it after the read. */
    BatchMeasure measure();

    /** Gaps of the batch, in order; call it after the read. */
    List<SkippedChanges> skips();

    /** What happened to the source in it, in the order of the log. */
    List<SourceEvent> events();
  }
}
