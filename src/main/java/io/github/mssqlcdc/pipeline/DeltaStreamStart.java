package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.backfill.StreamBegin;
import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.options.UnknownOptions;
import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.sink.BatchSink;
import io.github.mssqlcdc.snapshot.Generation;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a stream, in the order in which the least is left behind when something is wrong. */
final class DeltaStreamStart {
  private static final Logger LOG = LoggerFactory.getLogger(DeltaStreamStart.class);

  private final SparkSession spark;
  private final Map<String, String> options;
  private final Plan plan;
  private final Clock clock = Clock.systemUTC();

  /**
   * A request whose arguments are all right.
   *
   * @param queryName null: the sink's id
   * @param bootstrap whether there is a first snapshot
   * @param snapshot how snapshots are taken
   * @param resnapshotInterval how long after one snapshot for a loss the next one may be taken;
   *     null: a loss fails the stream
   * @param onSwitch what happens when a newer capture instance brings columns
   */
  record Plan(
      DeltaTableRef target,
      String appId,
      String checkpoint,
      @Nullable DeltaTableRef factsTable,
      Trigger trigger,
      @Nullable String queryName,
      Bootstrap bootstrap,
      SnapshotMode snapshot,
      @Nullable Duration resnapshotInterval,
      OnSwitch onSwitch) {}

  /** Whether a stream begins with a snapshot of the table. */
  enum Bootstrap {
    ON,
    OFF
  }

  /** What happens when a newer capture instance brings columns. */
  enum OnSwitch {
    SNAPSHOT,
    GO_ON
  }

  DeltaStreamStart(SparkSession spark, Map<String, String> options, Plan plan) {
    this.spark = spark;
    this.options = options;
    this.plan = plan;
  }

  StreamingQuery run() {
    UnknownOptions.log(options);
    LiveStream streams =
        new LiveStream(
            plan.appId(), new Checkpoint(plan.checkpoint(), spark.sessionState().newHadoopConf()));
    RequestTables tables = RequestTables.open(spark, plan.target(), plan.factsTable());
    SnapshotEvents told = tables.eventsThere(plan.appId(), clock);
    LiveStream live = streams.found(told);
    Source source = Source.reach(spark, options);
    if (live.isNew() && live.generation().number() == 0) {
      source.requireStart();
    }
    String ledgerId = UUID.randomUUID().toString();
    StructType schema = source.frames().schema(ledgerId);
    source.requireFits(tables.target(), () -> !live.isNew() || (told != null && told.hasBegun()));
    BronzeTable bronze = source.bronze(tables.target());
    bronze.requireTakes(schema);
    live.requireOwn(bronze);
    FactsTable facts = tables.facts() == null ? null : FactsTable.open(tables.facts());
    live.requireOwn(bronze.name(), facts);
    SnapshotEvents events =
        facts == null ? null : new SnapshotEvents(facts, plan.appId(), bronze.name(), clock);
    StreamSnapshots snapshots =
        new StreamSnapshots(
            bronze,
            new TargetPlans(spark, plan.target(), clock),
            plan.appId(),
            plan.snapshot(),
            clock);
    Offset start = start(live, source, snapshots, events);
    LiveStream next = recovered(live, start, source, snapshots, events);
    if (next != live) {
      next.requireOwn(bronze);
      next.requireOwn(bronze.name(), facts);
      start = next.generation().start();
    }
    next.keep(bronze.name());
    Optional<SwitchSnapshot> onSwitch = onSwitch(snapshots, events);
    onSwitch.ifPresent(snapshot -> snapshot.atStart(source));
    List<String> warnings = new ArrayList<>(UnknownOptions.warnings(options));
    warnings.addAll(source.warnings());
    warnings.addAll(source.unseen());
    warnings.addAll(repeated(next, start, bronze));
    return started(
        next,
        source
            .frames()
            .changes(schema, ledgerId, start, bronze.batches().highestPosition().orElse(null)),
        ledgerId,
        bronze,
        facts,
        onSwitch,
        warnings);
  }

  private Optional<SwitchSnapshot> onSwitch(
      StreamSnapshots snapshots, @Nullable SnapshotEvents events) {
    return plan.onSwitch() == OnSwitch.GO_ON || events == null
        ? Optional.empty()
        : Optional.of(new SwitchSnapshot(() -> Source.reach(spark, options), events, snapshots));
  }

  /**
   * Where the stream starts if it is new; null: where the options say. Each generation but the
   * first begins with a snapshot: one that was given up or is gone is made good in any of them.
   */
  private @Nullable Offset start(
      LiveStream live, Source source, StreamSnapshots snapshots, @Nullable SnapshotEvents events) {
    BronzeTable bronze = snapshots.bronze();
    boolean isFirst = live.generation().number() == 0;
    if (isFirst && plan.bootstrap() == Bootstrap.OFF) {
      if (live.isNew()) {
        source.past(bronze).requireSame(events);
      }
      return null;
    }
    Offset known = isFirst ? null : live.generation().start();
    if (!isFirst && events == null) {
      return known;
    }
    Offset found = snapshots.found(source, events, begin(live, source, bronze, events));
    return known != null && known.lsn().equals(found.lsn()) ? known : found;
  }

  private static StreamBegin begin(
      LiveStream live, Source source, BronzeTable bronze, @Nullable SnapshotEvents events) {
    Generation generation = live.generation();
    if (generation.number() > 0) {
      return new StreamBegin(generation.number(), live.begin(), generation.history());
    }
    int history = live.isNew() ? source.past(bronze).history(events) : 0;
    return new StreamBegin(0, live.begin(), history);
  }

  /** Changes that come a second time, because another application has written them; logged. */
  private List<String> repeated(LiveStream live, @Nullable Offset start, BronzeTable bronze) {
    if (!live.isNew() || start == null) {
      return List.of();
    }
    return bronze
        .batches()
        .newest()
        .filter(batch -> batch.range().end().lsn().isAfter(start.lsn()))
        .map(
            batch ->
                "Changes after "
                    + start.lsn()
                    + " up to "
                    + batch.range().end().lsn()
                    + ", which '"
                    + batch.key().appId()
                    + "' has written to '"
                    + bronze.name()
                    + "', come a second time from '"
                    + live.sinkId()
                    + "'. A merge by key, as silver's, absorbs them; to have them once, take a new"
                    + " snapshot with snapshot(…).resnapshot(true) before a new stream starts")
        .stream()
        .peek(warning -> LOG.warn("{}: {}", live.sinkId(), warning))
        .toList();
  }

  /** The same stream, or its next generation if it has lost changes. */
  private LiveStream recovered(
      LiveStream live,
      @Nullable Offset start,
      Source source,
      StreamSnapshots snapshots,
      @Nullable SnapshotEvents events) {
    Duration interval = plan.resnapshotInterval();
    if (interval == null || events == null) {
      return live;
    }
    Optional<Offset> position = live.position(start == null ? source.explicitStart() : start);
    if (position.isEmpty()) {
      return live;
    }
    Generation next =
        new LossRecovery(source, events, snapshots, interval)
            .run(live.generation(), position.get(), live.planned());
    return next.equals(live.generation()) ? live : live.of(next);
  }

  private StreamingQuery started(
      LiveStream live,
      Dataset<Row> changes,
      String ledgerId,
      BronzeTable bronze,
      @Nullable FactsTable facts,
      Optional<SwitchSnapshot> onSwitch,
      List<String> warnings) {
    BatchLedger ledger = JvmRegistry.shared(BatchLedger.class, ledgerId, StreamLedger::new);
    warnings.forEach(ledger::warn);
    LedgerRelease release = LedgerRelease.watching(spark, ledgerId);
    String name = plan.queryName() == null ? live.sinkId() : plan.queryName();
    try {
      BatchSink sink =
          new BatchSink(live.sinkId(), highestHistory(bronze, facts), bronze, facts, ledger, clock);
      sink.announceHeld();
      VoidFunction2<Dataset<Row>, Long> each =
          onSwitch.isPresent() ? new SwitchSink(sink, ledger, onSwitch.get()) : sink;
      StreamingQuery query =
          changes
              .writeStream()
              .foreachBatch(each)
              .option("checkpointLocation", live.checkpoint().location())
              .trigger(plan.trigger())
              .queryName(name)
              .start();
      release.started(query);
      return query;
    } catch (TimeoutException e) {
      release.release();
      throw new IllegalStateException("Failed to start '" + name + "' in time", e);
    } catch (Exception e) { // Spark throws checked exceptions undeclared
      release.release();
      throw e;
    }
  }

  private int highestHistory(BronzeTable bronze, @Nullable FactsTable facts) {
    return Math.max(
        bronze.highestHistory(),
        facts == null ? 0 : facts.highestHistory(plan.appId(), bronze.name()));
  }
}
