package io.github.mssqlcdc.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;

import io.github.mssqlcdc.bronze.BronzeColumns;
import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.ReconcileFailure;
import io.github.mssqlcdc.metric.ReconcileResult;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.sqlserver.BucketCount;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.SqlServer;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/** One comparison of a silver table with its source. Reads only, but for its report. */
public final class Reconciliation {
  private final SqlServer server;
  private final CaptureInstance instance;
  private final SourceRows source;
  private final Plan plan;
  private final Clock clock;

  /**
   * What is compared, and how.
   *
   * @param keys what identifies a row
   * @param columns the captured columns
   * @param bucketRows values of a bucket
   * @param sample part of the equal buckets whose rows are compared, 0 to 1
   * @param captureWait how long a difference may wait for capture to explain it
   */
  public record Plan(
      List<KeyColumn> keys,
      List<String> columns,
      long bucketRows,
      double sample,
      Duration captureWait) {}

  /**
   * Silver as it is compared.
   *
   * @param name as the caller spelt it
   * @param version its Delta version
   * @param rows of that version
   * @param position every change up to there is in it; null: not known
   * @param bronze what it is made from; null: not named
   * @param bronzeEnd up to where the stream has read; null: not known
   */
  public record Target(
      String name,
      long version,
      Dataset<Row> rows,
      @Nullable Position position,
      @Nullable Dataset<Row> bronze,
      @Nullable Lsn bronzeEnd) {

    @Nullable Lsn applied() {
      return position == null ? null : position.lsn();
    }
  }

  public Reconciliation(
      SqlServer server, CaptureInstance instance, SourceRows source, Plan plan, Clock clock) {
    this.server = server;
    this.instance = instance;
    this.source = source;
    this.plan = plan;
    this.clock = clock;
  }

  /**
   * @param chunkFailures what is wrong with the chunks of its snapshot
   * @param report null: none is written
   */
  public ReconcileResult run(
      Target target,
      List<ReconcileFailure> chunkFailures,
      List<String> notes,
      @Nullable ReportTable report,
      @Nullable String reportName) {
    UUID run = UUID.randomUUID();
    LocalDateTime begun = LocalDateTime.now(clock);
    requireReached(target.applied());
    KeyBuckets buckets =
        KeyBuckets.of(
            plan.keys(), plan.bucketRows(), () -> server.keyEnds(instance, plan.keys(), null));
    List<Bucket> all =
        Bucket.join(server.countBuckets(instance, buckets.grid()), counts(target.rows(), buckets));
    List<Bucket> compared = Bucket.compared(all, plan.sample(), run.getMostSignificantBits());
    RowComparison rows = comparison(target);
    List<RowDifference> differences = differences(target, buckets, compared, rows);
    boolean isCut = differences.size() > ReconcileResult.MOST_FAILURES;
    InFlight inFlight = new InFlight(rows, source);
    List<RowDifference> known =
        explained(
            inFlight,
            target,
            isCut ? differences.subList(0, ReconcileResult.MOST_FAILURES) : differences);
    Lsn sourceLsn = server.maxLsn().orElse(null);
    List<String> remarks = new ArrayList<>(notes);
    remarks.addAll(notCompared(target));
    if (isCut) {
      remarks.add(
          "more than " + ReconcileResult.MOST_FAILURES + " rows differ; the rest isn't told");
    }
    Outcome outcome =
        new Outcome(buckets, all, compared, known, isCut ? Outcome.Reach.SOME : Outcome.Reach.ALL);
    List<ReconcileFailure> failures = new ArrayList<>(outcome.failures());
    failures.addAll(chunkFailures);
    if (report != null) {
      report.append(
          outcome.rows(
              new Outcome.Run(
                  run.toString(),
                  begun,
                  target.name(),
                  target.version(),
                  target.applied(),
                  sourceLsn),
              chunkFailures));
    }
    return new ReconcileResult(
        run.toString(),
        all.size(),
        outcome.count(Outcome.Status.MATCH),
        outcome.count(Outcome.Status.IN_FLIGHT),
        outcome.count(Outcome.Status.MISMATCH),
        compared.size(),
        failures,
        reportName,
        sourceLsn,
        target.applied(),
        remarks);
  }

  /** What a lagging replica shows would look like lost rows. */
  private void requireReached(@Nullable Lsn applied) {
    Lsn max = server.maxLsn().orElse(null);
    if (applied != null && (max == null || max.isBefore(applied))) {
      throw new SourceBehindException(
          "Cannot compare with "
              + instance.description()
              + ": silver shows changes up to "
              + applied
              + ", and the server's max LSN is "
              + (max == null ? "unknown, its LSN map is empty" : max)
              + ". A lagging replica answers so; it may catch up. If it stays, the database was"
              + " restored or CDC was enabled anew");
    }
  }

  private static List<BucketCount> counts(Dataset<Row> silver, KeyBuckets buckets) {
    return buckets
        .number(silver)
        .groupBy(KeyBuckets.BUCKET)
        .agg(count(lit(1)), sum(col(KeyBuckets.VALUE).cast("decimal(38,0)")))
        .collectAsList()
        .stream()
        .map(
            row ->
                new BucketCount(
                    row.isNullAt(0) ? null : (Long) row.getLong(0),
                    row.getLong(1),
                    row.getDecimal(2)))
        .toList();
  }

  private RowComparison comparison(Target target) {
    List<String> there = Arrays.asList(target.rows().schema().fieldNames());
    List<String> keys = plan.keys().stream().map(key -> inSilver(there, key.name())).toList();
    List<String> others =
        plan.columns().stream()
            .map(name -> inSilver(there, name))
            .filter(name -> there.contains(name) && !keys.contains(name))
            .toList();
    return new RowComparison(keys, others, target.rows().schema());
  }

  private List<String> notCompared(Target target) {
    List<String> there = Arrays.asList(target.rows().schema().fieldNames());
    List<String> missing =
        plan.columns().stream().filter(name -> !there.contains(inSilver(there, name))).toList();
    return missing.isEmpty()
        ? List.of()
        : List.of(
            "columns that silver doesn't have were not compared: " + String.join(", ", missing));
  }

  private static String inSilver(List<String> there, String name) {
    return there.stream().filter(name::equalsIgnoreCase).findFirst().orElse(name);
  }

  private List<RowDifference> differences(
      Target target, KeyBuckets buckets, List<Bucket> compared, RowComparison rows) {
    if (compared.isEmpty()) {
      return List.of();
    }
    List<ChunkBounds> chunks =
        buckets.grid() == null
            ? null
            : IntStream.range(0, compared.size())
                .mapToObj(i -> buckets.bounds(i, compared.get(i).number()))
                .toList();
    return rows.differences(
        source.current(chunks),
        chunks == null ? lit(0) : col(BronzeColumns.CHUNK),
        RowComparison.numbered(target.rows(), buckets, compared));
  }

  /** Capture may be some seconds behind the rows that were read. */
  private List<RowDifference> explained(
      InFlight inFlight, Target target, List<RowDifference> differences) {
    List<RowDifference> left = inFlight.inBronze(differences, target.bronze(), target.position());
    long end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(plan.captureWait());
    Lsn read = target.bronzeEnd() == null ? target.applied() : target.bronzeEnd();
    while (!InFlight.open(left).isEmpty()) {
      Lsn max = server.maxLsn().orElse(null);
      if (max != null && (read == null || max.isAfter(read))) {
        left = inFlight.inChangeTable(left, read == null ? Lsn.ZERO : read);
        read = max;
      }
      if (InFlight.open(left).isEmpty() || System.nanoTime() - end >= 0) {
        return left;
      }
      pause();
    }
    return left;
  }

  private static void pause() {
    try {
      Thread.sleep(500);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while capture was waited for", e);
    }
  }
}
