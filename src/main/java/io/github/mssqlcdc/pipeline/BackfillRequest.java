package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.backfill.Backfill;
import io.github.mssqlcdc.backfill.BackfillLimits;
import io.github.mssqlcdc.backfill.DeltaStore;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.metric.BackfillListener;
import io.github.mssqlcdc.metric.BackfillState;
import io.github.mssqlcdc.metric.BackfillStatus;
import io.github.mssqlcdc.options.Isolation;
import io.github.mssqlcdc.options.UnknownOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * A request to read chunks of a chunked snapshot, which the stream has opened, into its target. Not
 * thread-safe.
 *
 * <pre>{@code
 * BackfillStatus status =
 *     CdcStream.of(spark, options)
 *         .backfill("bronze.orders")
 *         .appId("orders-v1")
 *         .factsTable("ops.ingestion_facts")
 *         .maxDuration(Duration.ofHours(1))
 *         .run();
 * }</pre>
 */
public final class BackfillRequest {
  private static final long CHUNK_ROWS = 1_000_000;
  private static final Duration TARGET_WAVE = Duration.ofMinutes(5);
  private static final int ATTEMPT_LENGTH = 8;

  private final SparkSession spark;
  private final Map<String, String> options;
  private final String target;
  private @Nullable String appId;
  private @Nullable String factsTable;
  private long chunkRows = CHUNK_ROWS;
  private Duration targetWave = TARGET_WAVE;
  private @Nullable Integer maxWaves;
  private @Nullable Duration maxDuration;
  private @Nullable Duration minHeadroom;
  private @Nullable Isolation isolation;
  private BackfillListener listener = status -> {};

  BackfillRequest(SparkSession spark, Map<String, String> options, String target) {
    this.spark = spark;
    this.options = options;
    this.target = target;
  }

  /**
   * The application id of the stream that opened the snapshot. Required.
   *
   * <pre>{@code
   * orders.backfill("bronze.orders").appId("orders-v1")
   * }</pre>
   */
  public BackfillRequest appId(String appId) {
    this.appId = appId;
    return this;
  }

  /**
   * The facts table of that stream. Required: it holds the snapshot's state.
   *
   * <pre>{@code
   * orders.backfill("bronze.orders").appId("orders-v1").factsTable("ops.ingestion_facts")
   * }</pre>
   */
  public BackfillRequest factsTable(String factsTable) {
    this.factsTable = factsTable;
    return this;
  }

  /**
   * How many rows a chunk shall have, at least 1; without it 1,000,000. It counts when the chunks
   * are planned, in the first call; later ones keep the plan.
   *
   * <pre>{@code
   * orders.backfill("bronze.orders").chunkRows(500_000)
   * }</pre>
   */
  public BackfillRequest chunkRows(long chunkRows) {
    this.chunkRows = chunkRows;
    return this;
  }

  /**
   * How many waves this call reads at most, not negative; zero tells the status only, and plans
   * nothing. Without it as many as there are.
   *
   * <pre>{@code
   * orders.backfill("bronze.orders").maxWaves(10)
   * }</pre>
   */
  public BackfillRequest maxWaves(int maxWaves) {
    this.maxWaves = maxWaves;
    return this;
  }

  /**
   * How long this call goes on reading, not negative: no wave begins after it, and waves are sized
   * to fit into what is left. Without it there is no limit.
   *
   * <pre>{@code
   * orders.backfill("bronze.orders").maxDuration(Duration.ofHours(1))
   * }</pre>
   */
  public BackfillRequest maxDuration(Duration maxDuration) {
    this.maxDuration = maxDuration;
    return this;
  }

  /**
   * How far the stream must be from the end of CDC's retention, by its newest row in the facts, for
   * a wave to be read; not negative. Without it that isn't looked at.
   *
   * <pre>{@code
   * orders.backfill("bronze.orders").minHeadroom(Duration.ofHours(24))
   * }</pre>
   */
  public BackfillRequest minHeadroom(Duration minHeadroom) {
    this.minHeadroom = minHeadroom;
    return this;
  }

  /**
   * The isolation of reads and of planning; without it the stream's option {@code isolationLevel}.
   *
   * <pre>{@code
   * orders.backfill("bronze.orders").isolation(Isolation.SNAPSHOT)
   * }</pre>
   */
  public BackfillRequest isolation(Isolation isolation) {
    this.isolation = isolation;
    return this;
  }

  /**
   * How long a wave shall take, not negative; without it 5 minutes. A wave has as many chunks as
   * that allows at the pace of the last one; zero: one per connection.
   *
   * <pre>{@code
   * orders.backfill("bronze.orders").targetWave(Duration.ofMinutes(10))
   * }</pre>
   */
  public BackfillRequest targetWave(Duration targetWave) {
    this.targetWave = targetWave;
    return this;
  }

  /**
   * Who is told of the plan and of each wave.
   *
   * <pre>{@code
   * orders.backfill("bronze.orders").listener(status -> show(status.chunksDone()))
   * }</pre>
   */
  public BackfillRequest listener(BackfillListener listener) {
    this.listener = listener;
    return this;
  }

  /**
   * Reads waves of chunks until all are in the target, or the call's limits are reached. Call it
   * again until it is {@link BackfillState#DONE}; a call that was killed is made good by the next.
   *
   * <pre>{@code
   * BackfillStatus status = orders.backfill("bronze.orders").appId("orders-v1")
   *     .factsTable("ops.ingestion_facts").run();
   * }</pre>
   *
   * @throws io.github.mssqlcdc.error.InvalidRequestException if an argument is missing or isn't
   *     allowed, a full snapshot is open, or the table's key is another than at the open
   * @throws io.github.mssqlcdc.error.CdcException if the source or a table can't be used; with code
   *     CONFLICTING_WRITER if another backfill of the snapshot runs
   * @throws io.github.mssqlcdc.error.DataLossException if changes are lost that the stream hasn't
   *     read yet
   * @throws io.github.mssqlcdc.error.SourceBehindException if the server is behind the snapshot;
   *     retry
   */
  public BackfillStatus run() {
    String id = Arguments.requireAppId(appId);
    String facts = Arguments.require(factsTable, "factsTable", "ops.ingestion_facts");
    requireLimits();
    DeltaTableRef bronze = new DeltaTableRef(target);
    DeltaTableRef factsRef = new DeltaTableRef(facts);
    UnknownOptions.log(options);
    RequestTables known = RequestTables.open(spark, bronze, factsRef);
    TargetPlans plans = new TargetPlans(spark, bronze, Clock.systemUTC());
    plans.requirePlace();
    Source source = Source.reach(spark, sourceOptions());
    source.requireFits(known.target(), () -> false);
    if (known.facts() == null || !known.facts().exists()) {
      return new BackfillStatus(
          BackfillState.NO_SNAPSHOT,
          null,
          0,
          null,
          0,
          0,
          Duration.ZERO,
          null,
          "There is no facts table '" + facts + "' yet: start the stream first");
    }
    return new Backfill(
            source.chunks(Clock.systemUTC()),
            // opened anew for each thread
            () ->
                new DeltaStore(
                    source.bronze(LakeTable.of(spark, bronze)),
                    FactsTable.open(LakeTable.of(spark, factsRef)),
                    plans::open,
                    id,
                    Clock.systemUTC()),
            limits(source.frames().connections()),
            listener,
            id,
            attempt())
        .run();
  }

  BackfillLimits limits(int connections) {
    return new BackfillLimits(
        chunkRows, connections, targetWave, maxWaves, maxDuration, minHeadroom);
  }

  private String attempt() {
    return spark.sparkContext().applicationId()
        + "/"
        + UUID.randomUUID().toString().substring(0, ATTEMPT_LENGTH);
  }

  /** The stream's, but for the isolation where this request has one of its own. */
  Map<String, String> sourceOptions() {
    if (isolation == null) {
      return options;
    }
    Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(options);
    all.put("isolationLevel", isolation == Isolation.SNAPSHOT ? "snapshot" : "readCommitted");
    return all;
  }

  private void requireLimits() {
    if (chunkRows < 1) {
      throw Arguments.invalid("Invalid chunkRows " + chunkRows + ": give at least 1");
    }
    if (maxWaves != null && maxWaves < 0) {
      throw Arguments.invalid("Invalid maxWaves " + maxWaves + ": give at least 0");
    }
    Arguments.requireGiven(targetWave, "targetWave");
    Arguments.requireGiven(listener, "listener");
    Arguments.requireNotNegative(targetWave, "targetWave");
    Arguments.requireNotNegative(maxDuration, "maxDuration");
    Arguments.requireNotNegative(minHeadroom, "minHeadroom");
  }
}
