package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.options.StreamOptions;
import java.time.Instant;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A SQL Server table with change data capture, on its way into Delta Lake. Immutable and
 * thread-safe; nothing is read or written before a request's {@code start()} or {@code run()}.
 *
 * <pre>{@code
 * CdcStream orders =
 *     CdcStream.of(
 *         spark,
 *         Map.of(
 *             "url", "jdbc:sqlserver://db:1433;databaseName=shop",
 *             "user", "cdc_reader",
 *             "password", password,
 *             "captureInstance", "dbo_orders"));
 * StreamingQuery query =
 *     orders.toDelta("bronze.orders")
 *         .appId("orders-v1")
 *         .checkpoint("/checkpoints/orders")
 *         .factsTable("ops.ingestion_facts")
 *         .trigger(Trigger.AvailableNow())
 *         .bootstrap(true)
 *         .start();
 * query.awaitTermination();
 * }</pre>
 */
public final class CdcStream {
  private final SparkSession spark;
  private final Map<String, String> options;

  private CdcStream(SparkSession spark, Map<String, String> options) {
    this.spark = spark;
    this.options = options;
  }

  /**
   * A stream of these options; their names ignore case, unknown ones are warned of when it starts.
   *
   * <pre>{@code
   * CdcStream orders = CdcStream.of(spark, options);
   * }</pre>
   *
   * @throws io.github.mssqlcdc.error.InvalidRequestException if an option is missing, isn't
   *     allowed, or excludes another
   */
  public static CdcStream of(SparkSession spark, Map<String, String> options) {
    Map<String, String> copy = Map.copyOf(options);
    Arguments.requireNoSnapshotOption(copy);
    StreamOptions unused = StreamOptions.parse(copy);
    return new CdcStream(spark, copy);
  }

  /**
   * A request for streams of many tables of a database, one each.
   *
   * <pre>{@code
   * StartedStreams streams =
   *     CdcStream.startMany(spark, options, "bronze.{ci}")
   *         .matching("sales.*")
   *         .appId("{ci}-v1")
   *         .checkpoint("/checkpoints/{ci}")
   *         .start();
   * }</pre>
   *
   * @param options of all tables, without {@code captureInstance}
   * @param target the Delta tables' names, or paths, with {@code {ci}} for each table's own
   */
  public static StartManyRequest startMany(
      SparkSession spark, Map<String, String> options, String target) {
    return new StartManyRequest(spark, options, target);
  }

  /**
   * A request to append the table's changes to a Delta table, the change log called bronze.
   *
   * <pre>{@code
   * orders.toDelta("bronze.orders").appId("orders-v1").checkpoint("/checkpoints/orders").start();
   * }</pre>
   *
   * @param target a table's name, or a path: anything with {@code /} or {@code :}
   */
  public DeltaStreamRequest toDelta(String target) {
    return new DeltaStreamRequest(spark, options, target);
  }

  /**
   * A request for a snapshot of the table in a Delta table: the one that is there, or a new one.
   *
   * <pre>{@code
   * Offset at = orders.snapshot("bronze.orders").run();
   * }</pre>
   *
   * @param target a table's name, or a path: anything with {@code /} or {@code :}
   */
  public SnapshotRequest snapshot(String target) {
    return new SnapshotRequest(spark, options, target);
  }

  /**
   * A request to begin a Delta table with a copy of the source table that exists already, so that
   * the table itself isn't read. A stream with bootstrap goes on where the copy ends.
   *
   * <pre>{@code
   * orders.seed("bronze.orders", spark.table("lake.orders"), Instant.parse("2026-09-30T02:00:00Z"))
   *     .appId("orders-v1")
   *     .run();
   * }</pre>
   *
   * @param target a table's name, or a path: anything with {@code /} or {@code :}
   * @param copy its rows; columns are found by name and cast
   * @param asOf when the copy was begun: every commit at or before it must be in the copy, later
   *     ones may be
   */
  public SeedRequest seed(String target, Dataset<Row> copy, Instant asOf) {
    return SeedRequest.of(spark, options, target, copy, asOf);
  }

  /**
   * The same for a copy whose end is known exactly: an LSN that {@code sys.fn_cdc_get_max_lsn()}
   * gave on the server before the copy was begun.
   *
   * <pre>{@code
   * orders.seed("bronze.orders", spark.table("lake.orders"), Lsn.parse("0x0000002C000005F00003"))
   *     .appId("orders-v1")
   *     .run();
   * }</pre>
   *
   * @param target a table's name, or a path: anything with {@code /} or {@code :}
   * @param copy its rows; columns are found by name and cast
   * @param asOf every commit at or before it must be in the copy, later ones may be
   */
  public SeedRequest seed(String target, Dataset<Row> copy, Lsn asOf) {
    return SeedRequest.of(spark, options, target, copy, asOf);
  }

  /**
   * A request to read chunks of a chunked snapshot, beside the stream that has opened it.
   *
   * <pre>{@code
   * orders.backfill("bronze.orders").appId("orders-v1").factsTable("ops.ingestion_facts").run();
   * }</pre>
   *
   * @param target as the stream names it
   */
  public BackfillRequest backfill(String target) {
    return new BackfillRequest(spark, options, target);
  }

  /**
   * A request to give up the snapshot of a target that is open.
   *
   * <pre>{@code
   * orders.abandonSnapshot("bronze.orders").appId("orders-v1")
   *     .factsTable("ops.ingestion_facts").run();
   * }</pre>
   *
   * @param target as the stream names it
   */
  public AbandonSnapshotRequest abandonSnapshot(String target) {
    return new AbandonSnapshotRequest(spark, target);
  }

  /**
   * A request to keep a silver table, one row per key, equal to the source table.
   *
   * <pre>{@code
   * orders.applyChanges("bronze.orders", "silver.orders").controlTable("ops.control").run();
   * }</pre>
   *
   * @param bronze the target of the stream, as the stream names it
   * @param silver a table's name, or a path: anything with {@code /} or {@code :}
   */
  public ApplyChangesRequest applyChanges(String bronze, String silver) {
    return new ApplyChangesRequest(spark, options, bronze, silver);
  }

  /**
   * A request to compare a silver table with the source table.
   *
   * <pre>{@code
   * orders.reconcile("silver.orders").controlTable("ops.control").bronze("bronze.orders").run();
   * }</pre>
   *
   * @param silver the table as applyChanges names it
   */
  public ReconcileRequest reconcile(String silver) {
    return new ReconcileRequest(spark, options, silver);
  }

  /**
   * A request for the table's capture instances, and which of them a stream still needs: the older
   * one may be disabled when it is done.
   *
   * <pre>{@code
   * orders.captureInstances().appId("orders-v1").factsTable("ops.ingestion_facts").run();
   * }</pre>
   */
  public CaptureInstancesRequest captureInstances() {
    return new CaptureInstancesRequest(spark, options);
  }
}
