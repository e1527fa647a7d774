package io.github.mssqlcdc.pipeline;

import com.fasterxml.jackson.databind.node.TextNode;
import io.github.mssqlcdc.bronze.BronzeColumns;
import io.github.mssqlcdc.bronze.CommittedBatches;
import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.bronze.Waves;
import io.github.mssqlcdc.chunk.SnapshotKey;
import io.github.mssqlcdc.control.ControlEntry;
import io.github.mssqlcdc.control.ControlTable;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.ReconcileResult;
import io.github.mssqlcdc.options.UnknownOptions;
import io.github.mssqlcdc.reconcile.Reconciliation;
import io.github.mssqlcdc.reconcile.ReportTable;
import io.github.mssqlcdc.reconcile.SnapshotChunks;
import io.github.mssqlcdc.silver.ApplyChanges;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request to compare a silver table with its source table. It reads, and writes a report if it is
 * asked to. Not thread-safe.
 *
 * <pre>{@code
 * ReconcileResult result =
 *     orders.reconcile("silver.orders")
 *         .bronze("bronze.orders")
 *         .appId("orders-v1")
 *         .factsTable("ops.ingestion_facts")
 *         .run();
 * System.out.println(result.summary());
 * }</pre>
 */
public final class ReconcileRequest {
  private static final Logger LOG = LoggerFactory.getLogger(ReconcileRequest.class);
  private static final long BUCKET_ROWS = 1_000_000;
  private static final double SAMPLE = 0.01;
  private static final Duration CAPTURE_WAIT = Duration.ofSeconds(10);

  private final SparkSession spark;
  private final Map<String, String> options;
  private final String silver;
  private final Clock clock = Clock.systemUTC();
  private @Nullable String controlTable;
  private @Nullable String bronze;
  private @Nullable String appId;
  private @Nullable String factsTable;
  private @Nullable String reportTable;
  private @Nullable List<String> keys;
  private long bucketRows = BUCKET_ROWS;
  private double sample = SAMPLE;
  private Duration captureWait = CAPTURE_WAIT;

  ReconcileRequest(SparkSession spark, Map<String, String> options, String silver) {
    this.spark = spark;
    this.options = options;
    this.silver = silver;
  }

  /**
   * Where silver's position stands, if others than {@code applyChanges} fill it: what came after
   * that is on its way, and no fault. Without it silver itself says how far it is.
   *
   * <pre>{@code
   * orders.reconcile("silver.orders").controlTable("ops.control")
   * }</pre>
   */
  public ReconcileRequest controlTable(String table) {
    this.controlTable = table;
    return this;
  }

  /**
   * What silver is made from: its changes that silver doesn't have yet are on their way. Without it
   * they are read from the change table.
   *
   * <pre>{@code
   * orders.reconcile("silver.orders").bronze("bronze.orders")
   * }</pre>
   */
  public ReconcileRequest bronze(String table) {
    this.bronze = table;
    return this;
  }

  /**
   * The stream whose chunks are checked; needed with a facts table.
   *
   * <pre>{@code
   * orders.reconcile("silver.orders").appId("orders-v1").factsTable("ops.ingestion_facts")
   * }</pre>
   */
  public ReconcileRequest appId(String id) {
    this.appId = id;
    return this;
  }

  /**
   * That stream's facts table: with it and bronze the chunks of a chunked snapshot are checked,
   * too.
   *
   * <pre>{@code
   * orders.reconcile("silver.orders").appId("orders-v1").factsTable("ops.ingestion_facts")
   * }</pre>
   */
  public ReconcileRequest factsTable(String table) {
    this.factsTable = table;
    return this;
  }

  /**
   * A Delta table that gets a row for each bucket, each row that differs and each chunk that is
   * wrong; made if there is none. Without it no report is written.
   *
   * <pre>{@code
   * orders.reconcile("silver.orders").reportTable("ops.reconcile")
   * }</pre>
   */
  public ReconcileRequest reportTable(String table) {
    this.reportTable = table;
    return this;
  }

  /**
   * Columns that identify a row on both sides; without it those that silver was made with, or else
   * those of the unique index that CDC knows.
   *
   * <pre>{@code
   * orders.reconcile("silver.orders").keys("order_id")
   * }</pre>
   */
  public ReconcileRequest keys(String... columns) {
    this.keys = List.of(columns);
    return this;
  }

  /**
   * How many values of the key a bucket spans, at least 1; without it 1,000,000.
   *
   * <pre>{@code
   * orders.reconcile("silver.orders").bucketRows(100_000)
   * }</pre>
   */
  public ReconcileRequest bucketRows(long values) {
    this.bucketRows = values;
    return this;
  }

  /**
   * Which part of the buckets with equal counts and sums is compared row by row all the same, from
   * 0 to 1, rounded up; without it 0.01. Only they show a value that differs in an equal bucket.
   *
   * <pre>{@code
   * orders.reconcile("silver.orders").sample(0.1)
   * }</pre>
   */
  public ReconcileRequest sample(double part) {
    this.sample = part;
    return this;
  }

  /**
   * How long a difference may wait for capture to record the change that explains it, not negative;
   * without it 10 s.
   *
   * <pre>{@code
   * orders.reconcile("silver.orders").captureWait(Duration.ofMinutes(1))
   * }</pre>
   */
  public ReconcileRequest captureWait(Duration atMost) {
    this.captureWait = atMost;
    return this;
  }

  /**
   * Compares.
   *
   * <pre>{@code
   * if (!orders.reconcile("silver.orders").run().isClean()) { … }
   * }</pre>
   *
   * @throws InvalidRequestException if an argument is missing or isn't allowed, or a table isn't
   *     there
   * @throws io.github.mssqlcdc.error.SourceBehindException if the server is behind silver
   */
  public ReconcileResult run() {
    String control = Arguments.optional(controlTable, "controlTable");
    requireNumbers();
    UnknownOptions.log(options);
    LakeTable silverTable = existing(silver);
    // before the version: what is on its way is what came after it
    Position position = position(silverTable, control);
    LakeTable bronzeTable = bronze == null ? null : existing(bronze);
    Source source = Source.reach(spark, options);
    ComparedColumns columns = ComparedColumns.of(source);
    List<String> named = keys == null ? ApplyChanges.keysOf(silverTable).orElse(null) : keys;
    SnapshotKey key = columns.key(source.instance(), named);
    requireIsSilver(silverTable, key);
    SnapshotChunks.Found chunks = chunks(bronzeTable);
    Lsn end =
        bronzeTable == null
            ? null
            : new CommittedBatches(bronzeTable)
                .recentBatches()
                .findFirst()
                .map(batch -> batch.range().end().lsn())
                .orElse(null);
    long version = silverTable.version();
    Reconciliation.Target target =
        new Reconciliation.Target(
            silver,
            version,
            silverTable.readAt(version),
            position,
            bronzeTable == null ? null : bronzeTable.read(),
            end);
    List<String> names = key.columns().stream().map(column -> column.name()).toList();
    ReconcileResult result =
        new Reconciliation(
                source.server(),
                source.instance(),
                source.frames().compared(json(names)),
                new Reconciliation.Plan(
                    key.columns(), columns.names(), bucketRows, sample, captureWait),
                clock)
            .run(
                target, chunks.failures(), notes(position, chunks, columns), report(), reportTable);
    LOG.info(
        "{}: {} buckets compared with {}: {} match, {} in flight, {} mismatch",
        source.instance().description(),
        result.buckets(),
        silver,
        result.match(),
        result.inFlight(),
        result.mismatch());
    return result;
  }

  private void requireNumbers() {
    if (bucketRows < 1) {
      throw Arguments.invalid("Invalid bucketRows " + bucketRows + ": give at least 1");
    }
    if (!(sample >= 0 && sample <= 1)) {
      throw Arguments.invalid("Invalid sample " + sample + ": give a part from 0 to 1");
    }
    Arguments.requireNotNegative(captureWait, "captureWait");
    if (factsTable != null) {
      var unused = Arguments.requireAppId(appId);
      var ignored = Arguments.require(bronze, "bronze", "bronze.orders");
    }
  }

  /**
   * The later of what both say: a batch that changes no row of silver moves the control table
   * alone, and a call that died silver alone.
   */
  private @Nullable Position position(LakeTable silverTable, @Nullable String control) {
    Optional<Position> told =
        Optional.ofNullable(control)
            .flatMap(name -> ControlTable.open(existing(name), clock).find(silver))
            .flatMap(ReconcileRequest::applied);
    return Stream.concat(told.stream(), ApplyChanges.appliedTo(silverTable).stream())
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  private static Optional<Position> applied(ControlEntry entry) {
    return Optional.ofNullable(entry.position().applied())
        .map(lsn -> new Position(entry.history(), lsn));
  }

  private static List<String> notes(
      @Nullable Position position, SnapshotChunks.Found chunks, ComparedColumns columns) {
    List<String> notes = new ArrayList<>(chunks.notes());
    notes.addAll(columns.notes());
    if (position == null) {
      notes.add(
          "silver's position isn't known, so every change that CDC holds counts as on its way: fill"
              + " silver by applyChanges, or name its controlTable");
    }
    return notes;
  }

  private static void requireIsSilver(LakeTable table, SnapshotKey key) {
    List<String> there = List.of(table.schema().fieldNames());
    if (there.contains(BronzeColumns.OPERATION)) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_TARGET,
          "Cannot compare '"
              + table.ref()
              + "': it is a change log, with the column "
              + BronzeColumns.OPERATION
              + "; name the silver table that is made from it");
    }
    for (KeyColumn column : key.columns()) {
      if (there.stream().noneMatch(column.name()::equalsIgnoreCase)) {
        throw new InvalidRequestException(
            ErrorCode.INVALID_TARGET,
            "Cannot compare '"
                + table.ref()
                + "': it has no column '"
                + column.name()
                + "', which identifies a row of the source; name the silver table of this source"
                + " table, or other columns with .keys(…)");
      }
    }
  }

  private LakeTable existing(String name) {
    LakeTable table = LakeTable.of(spark, new DeltaTableRef(name));
    if (!table.exists()) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_TARGET, "Unknown table '" + name + "': there is no Delta table there");
    }
    return table;
  }

  private SnapshotChunks.Found chunks(@Nullable LakeTable log) {
    if (factsTable == null || log == null || appId == null || bronze == null) {
      return SnapshotChunks.Found.NOTHING;
    }
    return new SnapshotChunks(
            FactsTable.open(existing(factsTable)),
            appId,
            bronze,
            new Waves(log),
            new TargetPlans(spark, new DeltaTableRef(bronze), clock)::there)
        .look();
  }

  private @Nullable ReportTable report() {
    if (reportTable == null) {
      return null;
    }
    LakeTable table = LakeTable.of(spark, new DeltaTableRef(reportTable));
    table.requirePlace();
    return ReportTable.open(table);
  }

  private static String json(List<String> names) {
    return names.stream()
        .map(name -> TextNode.valueOf(name).toString())
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
