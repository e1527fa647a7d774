package io.github.mssqlcdc.benchmark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.github.mssqlcdc.backfill.ChunkStore;
import io.github.mssqlcdc.backfill.DeltaStore;
import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.bronze.WaveRows;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.metric.BackfillStatus;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.pipeline.BackfillRequest;
import io.github.mssqlcdc.pipeline.CdcStream;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.PlansTable;
import io.github.mssqlcdc.plans.Progress;
import io.github.mssqlcdc.plans.ReadChunk;
import io.github.mssqlcdc.plans.ReadWave;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;

/**
 * A call that reads one wave, where half of a hundred thousand chunks are done in hundreds of
 * waves, against the same where none is. The waves are made up, the plans are real.
 */
final class BackfillBenchmark implements Benchmark {
  private static final int ROWS = 100_000;
  private static final int WAVES = 500;
  private static final int CHUNKS_PER_WAVE = 100;
  private static final int WARM_UPS = 1;
  private static final double MOST = 1.25;
  private static final double MILLIS = 1e3;

  @Override
  public String name() {
    return "backfill";
  }

  @Override
  public Result run() throws Exception {
    Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
    Path folder = Files.createTempDirectory(target, "benchmark");
    try (StandInDatabase database = StandInDatabase.start()) {
      make(database);
      Lake first = new Lake(database, folder.resolve("first"));
      Lake later = new Lake(database, folder.resolve("later"));
      later.makeUpWaves();
      return new Result(
          name(),
          "ms CPU",
          List.of(
              Comparison.inTurn(
                  "%,d of %,d chunks done".formatted(WAVES * CHUNKS_PER_WAVE, ROWS),
                  Comparison.Better.LOWER,
                  1 / MOST,
                  WARM_UPS,
                  later::call,
                  first::call)));
    }
  }

  /** Before CDC is enabled, so that the rows are in no change table. */
  private static void make(StandInDatabase database) {
    database.run(
        "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, name nvarchar(20) NOT NULL)",
        "INSERT INTO dbo.orders VALUES (1, N'an order')");
    for (int there = 1; there < ROWS; there *= 2) {
      database.run(
          "INSERT INTO dbo.orders SELECT id + %d, name FROM dbo.orders WHERE id <= %d"
              .formatted(there, ROWS - there));
    }
    database.run(
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = NULL");
    database.awaitCapture();
  }

  /** A chunked snapshot of a chunk per row, planned. */
  private static final class Lake {
    private static final String APP_ID = "orders-v1";

    private final SparkSession spark = TestSession.get();
    private final Path folder;
    private final CdcStream stream;

    Lake(StandInDatabase database, Path folder) throws Exception {
      this.folder = folder;
      Map<String, String> options = new HashMap<>(database.options());
      options.put("captureInstance", "dbo_orders");
      options.put("numPartitions", "2");
      this.stream = CdcStream.of(spark, options);
      stream
          .toDelta(path("bronze"))
          .appId(APP_ID)
          .checkpoint(path("checkpoint"))
          .factsTable(path("facts"))
          .trigger(Trigger.AvailableNow())
          .bootstrap(true)
          .snapshot(SnapshotMode.CHUNKED)
          .start()
          .awaitTermination();
      BackfillStatus planned = request().maxWaves(1).run();
      Integer total = planned.chunksTotal();
      if (total == null || total != ROWS) {
        throw new IllegalStateException("Planned " + total + " chunks instead of " + ROWS);
      }
    }

    private String path(String name) {
      return folder.resolve(name).toString();
    }

    private BackfillRequest request() {
      return stream
          .backfill(path("bronze"))
          .appId(APP_ID)
          .factsTable(path("facts"))
          .chunkRows(1)
          .targetWave(Duration.ZERO);
    }

    Sample call() throws Exception {
      Cost cost = Meter.process(() -> request().maxWaves(1).run());
      return new Sample(cost.cpuSeconds() * MILLIS, cost.wallSeconds(), cost.cpuSeconds());
    }

    private LakeTable table(String name) {
      return LakeTable.of(spark, new DeltaTableRef(path(name)));
    }

    void makeUpWaves() throws Exception {
      DeltaStore tables =
          new DeltaStore(
              new BronzeTable(table("bronze"), List.of("id"), List.of()),
              FactsTable.open(table("facts")),
              () -> PlansTable.open(table("bronze" + PlansTable.SUFFIX), Clock.systemUTC()),
              APP_ID,
              Clock.systemUTC());
      SnapshotOpen open = tables.state().chunked().orElseThrow();
      ChunkStore store = tables.chunks(open);
      Progress done = store.progress();
      List<ChunkBounds> planned = store.planned(done.chunks(), WAVES * CHUNKS_PER_WAVE);
      LongHistory.ofCommits(spark, path("bronze"), WAVES);
      for (int wave = 0; wave < WAVES; wave++) {
        ReadWave madeUp =
            madeUp(
                done.wave() + 1,
                open,
                planned.subList(wave * CHUNKS_PER_WAVE, (wave + 1) * CHUNKS_PER_WAVE));
        store.keep(done, madeUp);
        store.tell(madeUp);
        done = done.plus(madeUp);
      }
      writeNewest(store, open, done);
    }

    /** A call looks whether the rows of the newest wave are still there: one is. */
    private void writeNewest(ChunkStore store, SnapshotOpen open, Progress done) {
      Dataset<Row> row =
          table("bronze")
              .read()
              .where(col("_chunk").isNotNull())
              .limit(1)
              .withColumn("_chunk", lit(done.chunks() - 1))
              .drop("_batch_id", "_snapshot", "_history");
      store.append(
          row,
          new WaveRows(
              new SnapshotId(APP_ID, open.position().lsn(), open.number()),
              done.wave(),
              open.history(),
              () -> null,
              () -> true));
    }

    private static ReadWave madeUp(int number, SnapshotOpen open, List<ChunkBounds> chunks) {
      List<ReadChunk> read = new ArrayList<>();
      for (ChunkBounds chunk : chunks) {
        read.add(new ReadChunk(chunk, 1, 20L, 0.01, open.position().lsn().toString()));
      }
      return new ReadWave(
          number,
          open.position(),
          open.history(),
          "made up",
          LocalDateTime.now(ZoneOffset.UTC),
          1_000L,
          read);
    }
  }
}
