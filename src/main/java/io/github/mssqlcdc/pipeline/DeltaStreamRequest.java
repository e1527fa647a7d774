package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.options.OnDataLoss;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.pipeline.DeltaStreamStart.Bootstrap;
import io.github.mssqlcdc.pipeline.DeltaStreamStart.OnSwitch;
import java.time.Duration;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * A request to stream a table's changes into a Delta table. Not thread-safe.
 *
 * <pre>{@code
 * StreamingQuery query =
 *     CdcStream.of(spark, options)
 *         .toDelta("bronze.orders")
 *         .appId("orders-v1")
 *         .checkpoint("/checkpoints/orders")
 *         .start();
 * }</pre>
 */
public final class DeltaStreamRequest {
  static final Duration RESNAPSHOT_INTERVAL = Duration.ofDays(7);

  private final SparkSession spark;
  private final Map<String, String> options;
  private final String target;
  private @Nullable String appId;
  private @Nullable String checkpoint;
  private @Nullable String factsTable;
  private @Nullable Trigger trigger;
  private @Nullable String queryName;
  private boolean bootstrap;
  private SnapshotMode snapshot = SnapshotMode.FULL;
  private OnDataLoss onDataLoss = OnDataLoss.FAIL;
  private Duration resnapshotInterval = RESNAPSHOT_INTERVAL;
  private boolean snapshotOnSwitch;

  DeltaStreamRequest(SparkSession spark, Map<String, String> options, String target) {
    this.spark = spark;
    this.options = options;
    this.target = target;
  }

  /**
   * Names the stream in its tables, for good: what it has written is known by it. Required;
   * letters, digits, {@code -}, {@code _} and {@code .}.
   *
   * <pre>{@code
   * orders.toDelta("bronze.orders").appId("orders-v1")
   * }</pre>
   */
  public DeltaStreamRequest appId(String appId) {
    this.appId = appId;
    return this;
  }

  /**
   * Where Spark keeps the query's position: a folder of its own, at any URI. Required. A new one
   * needs a new appId, too.
   *
   * <pre>{@code
   * orders.toDelta("bronze.orders").appId("orders-v1").checkpoint("/checkpoints/orders")
   * }</pre>
   */
  public DeltaStreamRequest checkpoint(String checkpoint) {
    this.checkpoint = checkpoint;
    return this;
  }

  /**
   * The Delta table that gets a row per micro-batch and event; many streams may share one. Created
   * if there is none; without it no facts are kept.
   *
   * <pre>{@code
   * orders.toDelta("bronze.orders").factsTable("ops.ingestion_facts")
   * }</pre>
   */
  public DeltaStreamRequest factsTable(String factsTable) {
    this.factsTable = factsTable;
    return this;
  }

  /**
   * When micro-batches are made; without it one follows the other.
   *
   * <pre>{@code
   * orders.toDelta("bronze.orders").trigger(Trigger.AvailableNow())
   * }</pre>
   */
  public DeltaStreamRequest trigger(Trigger trigger) {
    this.trigger = trigger;
    return this;
  }

  /**
   * The query's name in Spark; without it the appId.
   *
   * <pre>{@code
   * orders.toDelta("bronze.orders").queryName("orders")
   * }</pre>
   */
  public DeltaStreamRequest queryName(String queryName) {
    this.queryName = queryName;
    return this;
  }

  /**
   * Whether the target first gets a snapshot of the whole table, which the stream then goes on
   * from. Leave it on: later runs find the snapshot and read nothing.
   *
   * <pre>{@code
   * orders.toDelta("bronze.orders").bootstrap(true)
   * }</pre>
   */
  public DeltaStreamRequest bootstrap(boolean bootstrap) {
    this.bootstrap = bootstrap;
    return this;
  }

  /**
   * What happens when changes that weren't read are gone from CDC, or the database was restored;
   * without it FAIL. With RESNAPSHOT the next start takes a new snapshot, as {@link #snapshot(
   * SnapshotMode)} says, and goes on from there. It needs a facts table, and {@code failOnDataLoss}
   * as it is by default.
   *
   * <pre>{@code
   * orders.toDelta("bronze.orders").onDataLoss(OnDataLoss.RESNAPSHOT)
   * }</pre>
   */
  public DeltaStreamRequest onDataLoss(OnDataLoss choice) {
    this.onDataLoss = choice;
    return this;
  }

  /**
   * The same by its name, in any case.
   *
   * <pre>{@code
   * orders.toDelta("bronze.orders").onDataLoss("resnapshot")
   * }</pre>
   *
   * @throws io.github.mssqlcdc.error.InvalidRequestException if it is neither fail nor resnapshot
   */
  public DeltaStreamRequest onDataLoss(String choice) {
    return onDataLoss(OnDataLoss.parse(choice));
  }

  /**
   * How long after a snapshot for a loss was begun the next one may be, failed ones among them; not
   * negative, without it 7 days. Within that time a loss fails the start; zero: never.
   *
   * <pre>{@code
   * orders.toDelta("bronze.orders").resnapshotInterval(Duration.ZERO)
   * }</pre>
   */
  public DeltaStreamRequest resnapshotInterval(Duration interval) {
    this.resnapshotInterval = interval;
    return this;
  }

  /**
   * Whether a snapshot is taken when a newer capture instance brings columns that the stream reads:
   * what was written to them before is in no change table. It is taken after the batch in which the
   * newer instance takes over, as {@link #snapshot(SnapshotMode)} says, or at the next start if the
   * process dies before; the stream goes on where it is. Without it an event {@code column_gap} in
   * the facts says what is missing. It needs a facts table.
   *
   * <pre>{@code
   * orders.toDelta("bronze.orders").snapshotOnSwitch(true)
   * }</pre>
   */
  public DeltaStreamRequest snapshotOnSwitch(boolean snapshotOnSwitch) {
    this.snapshotOnSwitch = snapshotOnSwitch;
    return this;
  }

  /**
   * How the snapshot of {@link #bootstrap}, of {@link #onDataLoss(OnDataLoss)} and of {@link
   * #snapshotOnSwitch} is taken; without it FULL. A chunked one is opened only, and the stream
   * starts at once: {@link CdcStream#backfill} reads it. It needs a facts table.
   *
   * <pre>{@code
   * orders.toDelta("bronze.orders").bootstrap(true).snapshot(SnapshotMode.CHUNKED)
   * }</pre>
   */
  public DeltaStreamRequest snapshot(SnapshotMode mode) {
    this.snapshot = mode;
    return this;
  }

  /**
   * The same by its name, in any case.
   *
   * <pre>{@code
   * orders.toDelta("bronze.orders").bootstrap(true).snapshot("chunked")
   * }</pre>
   *
   * @throws io.github.mssqlcdc.error.InvalidRequestException if it is neither full nor chunked
   */
  public DeltaStreamRequest snapshot(String mode) {
    return snapshot(SnapshotMode.parse(mode));
  }

  /**
   * Checks everything, takes the snapshot if one is asked for and missing, and starts the query.
   *
   * <pre>{@code
   * StreamingQuery query =
   *     orders.toDelta("bronze.orders").appId("orders-v1").checkpoint("/checkpoints/orders").start();
   * query.awaitTermination();
   * }</pre>
   *
   * @return Spark's own query, already running
   * @throws io.github.mssqlcdc.error.InvalidRequestException if an argument is missing or isn't
   *     allowed
   * @throws io.github.mssqlcdc.error.CdcException if the source or a table can't be used; with code
   *     CONFLICTING_WRITER if the target holds batches of this appId that the checkpoint doesn't
   *     know, or another run opened a snapshot meanwhile; with SNAPSHOT_OPEN, an
   *     InvalidRequestException, if a snapshot of the other mode is open
   * @throws io.github.mssqlcdc.error.DataLossException if CDC cleanup overtook the snapshot, or
   *     changes are lost again within the interval
   * @throws io.github.mssqlcdc.error.HistoryChangedException if a new stream would go on after rows
   *     of another past
   */
  public StreamingQuery start() {
    return checked().run();
  }

  /** What {@link #start} does, its arguments checked; nothing has been reached yet. */
  DeltaStreamStart checked() {
    String id = Arguments.requireAppId(appId);
    String location = Arguments.require(checkpoint, "checkpoint", "/checkpoints/orders");
    String facts = Arguments.optional(factsTable, "factsTable");
    String name = Arguments.optional(queryName, "queryName");
    Trigger when = trigger == null ? Trigger.ProcessingTime(0) : trigger;
    if (when.equals(Trigger.Once()) || when.getClass().getSimpleName().startsWith("Continuous")) {
      throw Arguments.invalid(
          "Unsupported trigger " + when + ": use Trigger.AvailableNow() or ProcessingTime(…)");
    }
    Arguments.requireGiven(snapshot, "snapshot");
    Arguments.requireGiven(onDataLoss, "onDataLoss");
    Arguments.requireGiven(resnapshotInterval, "resnapshotInterval");
    if (bootstrap) {
      Arguments.requireNoStart(options);
    }
    if (snapshot == SnapshotMode.CHUNKED) {
      requireChunked(facts);
    }
    if (onDataLoss == OnDataLoss.RESNAPSHOT) {
      requireRecovery(facts);
    }
    if (snapshotOnSwitch && facts == null) {
      throw Arguments.invalid(
          "Missing factsTable: snapshotOnSwitch keeps there what it has done; set it with"
              + " .factsTable(\"ops.ingestion_facts\")");
    }
    DeltaTableRef bronze = new DeltaTableRef(target);
    DeltaTableRef factsRef = facts == null ? null : new DeltaTableRef(facts);
    return new DeltaStreamStart(
        spark,
        options,
        new DeltaStreamStart.Plan(
            bronze,
            id,
            location,
            factsRef,
            when,
            name,
            bootstrap ? Bootstrap.ON : Bootstrap.OFF,
            snapshot,
            onDataLoss == OnDataLoss.RESNAPSHOT ? resnapshotInterval : null,
            snapshotOnSwitch ? OnSwitch.SNAPSHOT : OnSwitch.GO_ON));
  }

  private void requireRecovery(@Nullable String facts) {
    if (facts == null) {
      throw Arguments.invalid(
          "Missing factsTable: onDataLoss resnapshot keeps there what it has done; set it with"
              + " .factsTable(\"ops.ingestion_facts\")");
    }
    if (!StreamOptions.parse(options).failOnDataLoss()) {
      throw Arguments.invalid(
          "Invalid option 'failOnDataLoss' together with onDataLoss resnapshot: it needs true, or"
              + " the stream would skip what is lost and never notice; leave it out");
    }
    Arguments.requireNotNegative(resnapshotInterval, "resnapshotInterval");
  }

  private void requireChunked(@Nullable String facts) {
    if (!bootstrap && onDataLoss == OnDataLoss.FAIL && !snapshotOnSwitch) {
      throw Arguments.invalid(
          "Invalid snapshot chunked without bootstrap: set bootstrap(true), too, or"
              + " onDataLoss(OnDataLoss.RESNAPSHOT) or snapshotOnSwitch(true), or leave it out");
    }
    if (facts == null) {
      throw Arguments.invalid(
          "Missing factsTable: a chunked snapshot keeps its state there; set it with"
              + " .factsTable(\"ops.ingestion_facts\")");
    }
  }
}
