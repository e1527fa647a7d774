package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.control.ControlEntry;
import io.github.mssqlcdc.control.ControlTable;
import io.github.mssqlcdc.control.Verdict;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.finalization.Verdicts;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.Granularity;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;

/**
 * The verdicts of a control table: up to when each table is final. Times are UTC. Immutable and
 * thread-safe; the control table is made by the first call that writes.
 *
 * <pre>{@code
 * Finalization verdicts = Finalization.of(spark, "ops.control");
 * FinalizationTracker tracker = verdicts.track(query, "bronze.orders", Granularity.HOUR);
 * }</pre>
 */
public final class Finalization {
  private final SparkSession spark;
  private final DeltaTableRef control;

  private Finalization(SparkSession spark, DeltaTableRef control) {
    this.spark = spark;
    this.control = control;
  }

  /**
   * The verdicts of a control table.
   *
   * <pre>{@code
   * Finalization verdicts = Finalization.of(spark, "ops.control");
   * }</pre>
   *
   * @param controlTable a name, or a path: anything with {@code /} or {@code :}
   */
  public static Finalization of(SparkSession spark, String controlTable) {
    return new Finalization(spark, new DeltaTableRef(controlTable));
  }

  /**
   * The verdict that a position would give, whatever is stored: the beginning of the period that
   * its commit time lies in.
   *
   * <pre>{@code
   * Finalization.candidate(Offset.parse(endOffset), Granularity.HOUR)
   * }</pre>
   *
   * @param end end of a batch that is in bronze
   * @return empty if the position has no time
   */
  public static Optional<LocalDateTime> candidate(Offset end, Granularity granularity) {
    return Verdicts.candidate(end, granularity).map(Verdict::finalizedUntil);
  }

  /**
   * Moves a table's verdict to what a position gives; never back.
   *
   * <pre>{@code
   * verdicts.advance("bronze.orders", Offset.parse(endOffset), Granularity.HOUR);
   * }</pre>
   *
   * @param table as it is to be called in the control table
   * @param end end of a batch that is in it
   * @return the verdict that is stored now; empty if there is none, as no position had a time
   */
  public Optional<LocalDateTime> advance(String table, Offset end, Granularity granularity) {
    return Verdicts.candidate(end, granularity)
        .map(verdict -> Optional.of(move(table, verdict).finalizedUntil()))
        .orElseGet(() -> finalizedUntil(table));
  }

  /**
   * The same with the granularity by its name: minute, hour or day, in any case.
   *
   * <pre>{@code
   * verdicts.advance("bronze.orders", Offset.parse(endOffset), "hour");
   * }</pre>
   *
   * @throws io.github.mssqlcdc.error.InvalidRequestException if it is none of them; nothing was
   *     read or written
   */
  public Optional<LocalDateTime> advance(String table, Offset end, String granularity) {
    return advance(table, end, Granularity.parse(granularity));
  }

  /**
   * The same with the position of a query, by its newest progress; for one that has ended, too.
   *
   * <pre>{@code
   * query.awaitTermination();
   * verdicts.advance("bronze.orders", query, Granularity.DAY);
   * }</pre>
   */
  public Optional<LocalDateTime> advance(
      String table, StreamingQuery query, Granularity granularity) {
    return Verdicts.end(query.lastProgress())
        .map(end -> advance(table, end, granularity))
        .orElseGet(() -> finalizedUntil(table));
  }

  /**
   * Up to when a table is final: no change with an earlier commit time will still arrive in it.
   *
   * <pre>{@code
   * Optional<LocalDateTime> until = verdicts.finalizedUntil("bronze.orders");
   * }</pre>
   *
   * @param table as it is called in the control table
   * @return empty while there is no verdict
   */
  public Optional<LocalDateTime> finalizedUntil(String table) {
    LakeTable there = LakeTable.of(spark, control);
    return there.exists()
        ? ControlTable.open(there, Clock.systemUTC())
            .find(table)
            .map(ControlEntry::verdict)
            .map(Verdict::finalizedUntil)
        : Optional.empty();
  }

  /**
   * Whether all changes of a table before a time have arrived.
   *
   * <pre>{@code
   * if (verdicts.isFinal("bronze.orders", LocalDateTime.parse("2026-10-01T00:00:00"))) { … }
   * }</pre>
   *
   * @param until end of the period, UTC; the period itself ends before it
   */
  public boolean isFinal(String table, LocalDateTime until) {
    return finalizedUntil(table).filter(verdict -> !verdict.isBefore(until)).isPresent();
  }

  /**
   * Moves a table's verdict as long as a query runs, after its batches and once more when it ends.
   * It works in a thread of its own: nothing that goes wrong with it reaches the query, which may
   * be of any session.
   *
   * <pre>{@code
   * FinalizationTracker tracker = verdicts.track(query, "bronze.orders", Granularity.HOUR);
   * query.awaitTermination();
   * tracker.join(Duration.ofMinutes(2));
   * }</pre>
   */
  public FinalizationTracker track(StreamingQuery query, String table, Granularity granularity) {
    return FinalizationTracker.start(query, table, granularity, verdict -> move(table, verdict));
  }

  private Verdict move(String table, Verdict verdict) {
    LakeTable place = LakeTable.of(spark, control);
    place.requirePlace();
    ControlTable there = ControlTable.open(place, Clock.systemUTC());
    // a bronze table's row has no other position, so the history says nothing here
    int history = there.find(table).map(ControlEntry::history).orElse(0);
    return there.advance(table, verdict, history);
  }
}
