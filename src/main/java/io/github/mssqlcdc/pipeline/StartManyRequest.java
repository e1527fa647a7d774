package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.options.OnDataLoss;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.sqlserver.SqlServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * A request to stream many tables of one database, each into a Delta table of its own by a query of
 * its own. Not thread-safe.
 *
 * <pre>{@code
 * StartedStreams streams =
 *     CdcStream.startMany(spark, options, "bronze.{ci}")
 *         .matching("dbo.*")
 *         .appId("{ci}-v1")
 *         .checkpoint("/checkpoints/{ci}")
 *         .factsTable("ops.ingestion_facts")
 *         .bootstrap(true)
 *         .start();
 * streams.awaitAll();
 * }</pre>
 */
public final class StartManyRequest {
  private static final String CAPTURE_INSTANCE = "captureInstance";

  private final SparkSession spark;
  private final Map<String, String> options;
  private final String target;
  private final Map<String, Map<String, String>> tables = new LinkedHashMap<>();
  private final List<String> patterns = new ArrayList<>();
  private @Nullable String appId;
  private @Nullable String checkpoint;
  private @Nullable String factsTable;
  private @Nullable Trigger trigger;
  private boolean bootstrap;
  private SnapshotMode snapshot = SnapshotMode.FULL;
  private OnDataLoss onDataLoss = OnDataLoss.FAIL;
  private Duration resnapshotInterval = DeltaStreamRequest.RESNAPSHOT_INTERVAL;
  private boolean snapshotOnSwitch;
  private final Map<String, Consumer<DeltaStreamRequest>> settings = new LinkedHashMap<>();
  private int startsAtATime = 1;

  StartManyRequest(SparkSession spark, Map<String, String> options, String target) {
    this.spark = spark;
    this.options = Map.copyOf(options);
    this.target = target;
  }

  /**
   * Tables by the names of their capture instances, in the order in which they are started.
   *
   * <pre>{@code
   * CdcStream.startMany(spark, options, "bronze.{ci}").tables("dbo_orders", "dbo_customers")
   * }</pre>
   */
  public StartManyRequest tables(String... captureInstances) {
    for (String name : captureInstances) {
      tables.putIfAbsent(name, Map.of());
    }
    return this;
  }

  /**
   * A table with options of its own, which go before the shared ones.
   *
   * <pre>{@code
   * CdcStream.startMany(spark, options, "bronze.{ci}")
   *     .matching("dbo.*")
   *     .table("dbo_orders", Map.of("maxRowsPerBatch", "1000000"))
   * }</pre>
   *
   * @param captureInstance as the stream is called; it may be among those that a pattern finds
   */
  public StartManyRequest table(String captureInstance, Map<String, String> itsOptions) {
    tables.put(captureInstance, Map.copyOf(itsOptions));
    return this;
  }

  /**
   * Tables by a map from capture instance to options, as {@link #table} takes them.
   *
   * <pre>{@code
   * CdcStream.startMany(spark, options, "bronze.{ci}")
   *     .tables(Map.of("dbo_orders", Map.of("numPartitions", "8"), "dbo_customers", Map.of()))
   * }</pre>
   */
  public StartManyRequest tables(Map<String, Map<String, String>> captureInstances) {
    captureInstances.forEach(this::table);
    return this;
  }

  /**
   * The captured tables whose {@code schema.table} looks like this, as they are when the request
   * starts: {@code *} is any text, {@code ?} any one character, case doesn't count. Each stream is
   * called {@code schema_table}, whatever its capture instance is called, so that it goes on as the
   * same when another instance takes over. They start after the tables that are named, by name.
   *
   * <pre>{@code
   * CdcStream.startMany(spark, options, "bronze.{ci}").matching("sales.*")
   * }</pre>
   */
  public StartManyRequest matching(String pattern) {
    patterns.add(pattern);
    return this;
  }

  /**
   * The streams' names, with {@code {ci}} in it. Required.
   *
   * <pre>{@code
   * CdcStream.startMany(spark, options, "bronze.{ci}").appId("{ci}-v1")
   * }</pre>
   */
  public StartManyRequest appId(String template) {
    this.appId = template;
    return this;
  }

  /**
   * Where the streams keep their positions, with {@code {ci}} in it. Required.
   *
   * <pre>{@code
   * CdcStream.startMany(spark, options, "bronze.{ci}").checkpoint("/checkpoints/{ci}")
   * }</pre>
   */
  public StartManyRequest checkpoint(String template) {
    this.checkpoint = template;
    return this;
  }

  /**
   * The facts table of all of them; {@code {ci}} in it gives each its own.
   *
   * <pre>{@code
   * CdcStream.startMany(spark, options, "bronze.{ci}").factsTable("ops.ingestion_facts")
   * }</pre>
   */
  public StartManyRequest factsTable(String factsTable) {
    this.factsTable = factsTable;
    return this;
  }

  /**
   * When micro-batches are made, as {@link DeltaStreamRequest#trigger}.
   *
   * <pre>{@code
   * CdcStream.startMany(spark, options, "bronze.{ci}").trigger(Trigger.ProcessingTime("1 minute"))
   * }</pre>
   */
  public StartManyRequest trigger(Trigger trigger) {
    this.trigger = trigger;
    return this;
  }

  /**
   * Whether each target first gets a snapshot, as {@link DeltaStreamRequest#bootstrap}.
   *
   * <pre>{@code
   * CdcStream.startMany(spark, options, "bronze.{ci}").bootstrap(true)
   * }</pre>
   */
  public StartManyRequest bootstrap(boolean bootstrap) {
    this.bootstrap = bootstrap;
    return this;
  }

  /**
   * How that snapshot is taken, as {@link DeltaStreamRequest#snapshot(SnapshotMode)}.
   *
   * <pre>{@code
   * CdcStream.startMany(spark, options, "bronze.{ci}").snapshot(SnapshotMode.CHUNKED)
   * }</pre>
   */
  public StartManyRequest snapshot(SnapshotMode mode) {
    this.snapshot = mode;
    return this;
  }

  /**
   * What a stream does whose changes are lost, as {@link
   * DeltaStreamRequest#onDataLoss(OnDataLoss)}.
   *
   * <pre>{@code
   * CdcStream.startMany(spark, options, "bronze.{ci}").onDataLoss(OnDataLoss.RESNAPSHOT)
   * }</pre>
   */
  public StartManyRequest onDataLoss(OnDataLoss choice) {
    this.onDataLoss = choice;
    return this;
  }

  /**
   * How soon after one snapshot for a loss a stream may take the next, as {@link
   * DeltaStreamRequest#resnapshotInterval}.
   *
   * <pre>{@code
   * CdcStream.startMany(spark, options, "bronze.{ci}").resnapshotInterval(Duration.ofDays(1))
   * }</pre>
   */
  public StartManyRequest resnapshotInterval(Duration interval) {
    this.resnapshotInterval = interval;
    return this;
  }

  /**
   * Whether a stream takes a snapshot when a newer capture instance brings columns, as {@link
   * DeltaStreamRequest#snapshotOnSwitch}.
   *
   * <pre>{@code
   * CdcStream.startMany(spark, options, "bronze.{ci}").snapshotOnSwitch(true)
   * }</pre>
   */
  public StartManyRequest snapshotOnSwitch(boolean snapshotOnSwitch) {
    this.snapshotOnSwitch = snapshotOnSwitch;
    return this;
  }

  /**
   * What one table's request has otherwise than the others, such as how it takes snapshots.
   *
   * <pre>{@code
   * CdcStream.startMany(spark, options, "bronze.{ci}")
   *     .matching("dbo.*")
   *     .onDataLoss(OnDataLoss.RESNAPSHOT)
   *     .with("dbo_huge", one -> one.onDataLoss(OnDataLoss.FAIL))
   *     .with("dbo_events", one -> one.resnapshotInterval(Duration.ofDays(1)))
   * }</pre>
   *
   * @param captureInstance as the stream is called
   * @param setting given the table's request when all else is set
   */
  public StartManyRequest with(String captureInstance, Consumer<DeltaStreamRequest> setting) {
    settings.merge(captureInstance, setting, Consumer::andThen);
    return this;
  }

  /**
   * How many streams are started at a time; without it one after the other. A start with a full
   * snapshot reads its whole table.
   *
   * <pre>{@code
   * CdcStream.startMany(spark, options, "bronze.{ci}").startsAtATime(4)
   * }</pre>
   *
   * @throws io.github.mssqlcdc.error.InvalidRequestException if it is less than 1
   */
  public StartManyRequest startsAtATime(int count) {
    if (count < 1) {
      throw Arguments.invalid("Invalid startsAtATime " + count + ": give at least 1");
    }
    this.startsAtATime = count;
    return this;
  }

  /**
   * Checks everything, for all tables, and starts them. If one can't be started, those that this
   * call has started are stopped. From then on they run apart: one that fails leaves the others
   * alone.
   *
   * <pre>{@code
   * StartedStreams streams =
   *     CdcStream.startMany(spark, options, "bronze.{ci}")
   *         .tables("dbo_orders", "dbo_customers")
   *         .appId("{ci}-v1")
   *         .checkpoint("/checkpoints/{ci}")
   *         .start();
   * }</pre>
   *
   * @throws io.github.mssqlcdc.error.InvalidRequestException if an argument or option is missing or
   *     isn't allowed, {@code {ci}} is missing in a name, or no table matches a pattern
   * @throws io.github.mssqlcdc.error.CdcException as {@link DeltaStreamRequest#start}
   */
  public StartedStreams start() {
    Template targets = new Template("target", target);
    Template appIds = new Template("appId", Arguments.require(appId, "appId", "{ci}-v1"));
    Template checkpoints =
        new Template(
            "checkpoint", Arguments.require(checkpoint, "checkpoint", "/checkpoints/{ci}"));
    requireNoInstance(options);
    tables.values().forEach(StartManyRequest::requireNoInstance);
    Map<String, DeltaStreamStart> starts = new LinkedHashMap<>();
    Map<String, Map<String, String>> all = requireDistinct(found());
    for (String name : settings.keySet()) {
      if (!all.containsKey(name)) {
        throw Arguments.invalid(
            "Unknown table '" + name + "' in .with(…): the streams are " + all.keySet());
      }
    }
    all.forEach(
        (name, own) ->
            starts.put(name, request(name, own, targets, appIds, checkpoints).checked()));
    return StartedStreams.start(starts, startsAtATime);
  }

  private DeltaStreamRequest request(
      String name,
      Map<String, String> own,
      Template targets,
      Template appIds,
      Template checkpoints) {
    DeltaStreamRequest request =
        CdcStream.of(spark, options(name, own))
            .toDelta(targets.of(name))
            .appId(appIds.of(name))
            .checkpoint(checkpoints.of(name))
            .bootstrap(bootstrap)
            .snapshot(snapshot)
            .onDataLoss(onDataLoss)
            .resnapshotInterval(resnapshotInterval)
            .snapshotOnSwitch(snapshotOnSwitch);
    if (factsTable != null) {
      request.factsTable(factsTable.replace(Template.PLACE, name));
    }
    if (trigger != null) {
      request.trigger(trigger);
    }
    settings.getOrDefault(name, one -> {}).accept(request);
    return request;
  }

  /** The tables with their options, those that are named first. */
  private Map<String, Map<String, String>> found() {
    Map<String, Map<String, String>> all = new LinkedHashMap<>(tables);
    if (!patterns.isEmpty()) {
      // any table's name will do to connect
      StreamOptions parsed = StreamOptions.parse(options("any", Map.of()));
      var instances = SqlServers.connect(parsed.source(), parsed.pollInterval()).captureInstances();
      patterns.stream()
          .map(pattern -> CapturedTables.matching(pattern, instances))
          .flatMap(Collection::stream)
          .forEach(name -> all.putIfAbsent(name, Map.of()));
    }
    if (all.isEmpty()) {
      throw Arguments.invalid(
          "Missing tables: name their capture instances with .tables(\"dbo_orders\", …), or a"
              + " pattern with .matching(\"dbo.*\")");
    }
    return all;
  }

  /** Names of tables and folders don't all tell apart what differs in case only. */
  private static Map<String, Map<String, String>> requireDistinct(
      Map<String, Map<String, String>> names) {
    Map<String, String> seen = new HashMap<>();
    for (String name : names.keySet()) {
      String other = seen.put(name.toLowerCase(Locale.ROOT), name);
      if (other != null) {
        throw Arguments.invalid(
            "Invalid tables '"
                + other
                + "' and '"
                + name
                + "': their names differ in case only, and so would their targets'. Start them by"
                + " two calls with other templates");
      }
    }
    return names;
  }

  private static void requireNoInstance(Map<String, String> options) {
    if (options.keySet().stream().anyMatch(CAPTURE_INSTANCE::equalsIgnoreCase)) {
      throw Arguments.invalid(
          "Invalid option 'captureInstance' of startMany: name tables with .tables(\"dbo_orders\","
              + " …) or .matching(\"dbo.*\"), and leave it out");
    }
  }

  private Map<String, String> options(String name, Map<String, String> own) {
    Map<String, String> all = new HashMap<>(options);
    all.keySet().removeIf(shared -> own.keySet().stream().anyMatch(shared::equalsIgnoreCase));
    all.putAll(own);
    all.put(CAPTURE_INSTANCE, name);
    return all;
  }
}
