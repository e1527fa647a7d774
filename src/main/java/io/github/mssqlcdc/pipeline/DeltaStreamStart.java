package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.backfill.ChunkedOpen;
import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.options.UnknownOptions;
import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.sink.BatchSink;
import io.github.mssqlcdc.sink.SinkOwner;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Starts a stream, in the order in which the least is left behind when something is wrong. */
final class DeltaStreamStart {
  private final SparkSession spark;
  private final Map<String, String> options;
  private final Plan plan;
  private final Clock clock = Clock.systemUTC();

  /**
   * A request whose arguments are all right.
   *
   * @param bootstrap how the first snapshot is taken; null: there is none
   */
  record Plan(
      DeltaTableRef target,
      String appId,
      String checkpoint,
      @Nullable DeltaTableRef factsTable,
      Trigger trigger,
      String queryName,
      @Nullable SnapshotMode bootstrap) {}

  DeltaStreamStart(SparkSession spark, Map<String, String> options, Plan plan) {
    this.spark = spark;
    this.options = options;
    this.plan = plan;
  }

  StreamingQuery run() {
    UnknownOptions.log(options);
    Checkpoint checkpoint = new Checkpoint(plan.checkpoint(), spark.sessionState().newHadoopConf());
    long known = checkpoint.latestBatch().orElse(-1);
    RequestTables tables = RequestTables.open(spark, plan.target(), plan.factsTable());
    LakeTable target = tables.target();
    Source source = Source.reach(spark, options);
    if (known < 0) {
      source.requireStart();
    }
    String ledgerId = UUID.randomUUID().toString();
    StructType schema = source.schema(ledgerId);
    source.requireFits(target, () -> known >= 0);
    BronzeTable bronze = new BronzeTable(target, source.instance().keyColumns());
    bronze.requireTakes(schema);
    SinkOwner owner = new SinkOwner(plan.appId(), plan.checkpoint(), known);
    owner.check(bronze);
    owner.checkCheckpoint(bronze, checkpoint::endOf);
    FactsTable facts = tables.facts() == null ? null : FactsTable.open(tables.facts());
    if (facts != null) {
      owner.check(bronze.name(), facts);
    }
    Offset start = bootstrap(source, bronze, facts);
    List<String> warnings = new ArrayList<>(UnknownOptions.warnings(options));
    warnings.addAll(source.warnings());
    return start(source.changes(schema, ledgerId, start), ledgerId, bronze, facts, warnings);
  }

  private @Nullable Offset bootstrap(
      Source source, BronzeTable bronze, @Nullable FactsTable facts) {
    SnapshotMode mode = plan.bootstrap();
    if (mode == null) {
      return null;
    }
    SnapshotEvents events =
        facts == null ? null : new SnapshotEvents(facts, plan.appId(), bronze.name(), clock);
    DeltaTableRef factsTable = plan.factsTable();
    if (mode == SnapshotMode.FULL || events == null || factsTable == null) {
      return source.snapshotInto(bronze, clock).run(events);
    }
    ChunkTables tables = new ChunkTables(spark, plan.target(), factsTable, clock);
    tables.requirePlace();
    return new ChunkedOpen(source.chunks(clock), bronze, tables::plans, plan.appId()).run(events);
  }

  private StreamingQuery start(
      Dataset<Row> changes,
      String ledgerId,
      BronzeTable bronze,
      @Nullable FactsTable facts,
      List<String> warnings) {
    BatchLedger ledger = JvmRegistry.shared(BatchLedger.class, ledgerId, StreamLedger::new);
    warnings.forEach(ledger::warn);
    LedgerRelease release = LedgerRelease.watching(spark, ledgerId);
    try {
      BatchSink sink =
          new BatchSink(plan.appId(), highestHistory(bronze, facts), bronze, facts, ledger, clock);
      sink.announceHeld();
      StreamingQuery query = query(changes, sink);
      release.started(query);
      return query;
    } catch (TimeoutException e) {
      release.release();
      throw new IllegalStateException("Failed to start '" + plan.queryName() + "' in time", e);
    } catch (RuntimeException e) {
      release.release();
      throw e;
    }
  }

  private int highestHistory(BronzeTable bronze, @Nullable FactsTable facts) {
    return Math.max(
        bronze.highestHistory(),
        facts == null ? 0 : facts.highestHistory(plan.appId(), bronze.name()));
  }

  private StreamingQuery query(Dataset<Row> changes, BatchSink sink) throws TimeoutException {
    return changes
        .writeStream()
        .foreachBatch(sink)
        .option("checkpointLocation", plan.checkpoint())
        .trigger(plan.trigger())
        .queryName(plan.queryName())
        .start();
  }
}
