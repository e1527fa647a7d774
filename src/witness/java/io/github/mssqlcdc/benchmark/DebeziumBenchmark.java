package io.github.mssqlcdc.benchmark;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.github.mssqlcdc.testkit.process.JavaProcess;
import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.witness.DebeziumSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.io.FileUtils;
import org.apache.spark.api.java.function.ForeachPartitionFunction;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.util.LongAccumulator;
import org.jspecify.annotations.Nullable;

/**
 * A table and then its changes as row objects in memory, against the records of Debezium's engine
 * of the same, on the same stand-in.
 */
public final class DebeziumBenchmark implements Benchmark {
  private static final double BAR = 3;
  private static final int WARM_UPS = 1;
  private static final int COMMITS = 1_000;
  private static final long CHANGES = (long) COMMITS * GrowingServer.ROWS_PER_COMMIT;
  private static final long ROWS = CHANGES + GrowingServer.ROWS_PER_COMMIT;

  @Override
  public String name() {
    return "debezium";
  }

  @Override
  public Result run() throws Exception {
    try (Scratch scratch = new Scratch();
        JavaProcess server = JavaProcess.start(GrowingServer.class, "3g", List.of())) {
      DebeziumSettings settings =
          new DebeziumSettings(
              Integer.parseInt(server.answer()), GrowingServer.DATABASE, "sa", "Stand-in-1");
      Path beginning = Path.of(scratch.path("beginning"));
      debezium(settings, beginning, Map.of(), GrowingServer.ROWS_PER_COMMIT);
      server.say(String.valueOf(COMMITS));
      if (Long.parseLong(server.answer()) != ROWS) {
        throw new IllegalStateException("The server has other rows than asked for");
      }
      return new Result(
          name(),
          "rows per CPU second",
          List.of(
              Comparison.inTurn(
                  "snapshot",
                  Comparison.Better.HIGHER,
                  BAR,
                  WARM_UPS,
                  () -> snapshot(settings),
                  () -> theirSnapshot(settings, scratch)),
              Comparison.inTurn(
                  "changes",
                  Comparison.Better.HIGHER,
                  BAR,
                  WARM_UPS,
                  () -> changes(settings, scratch),
                  () -> theirChanges(settings, scratch, beginning))));
    }
  }

  private static Map<String, String> options(DebeziumSettings server) {
    return Map.of(
        "url",
        "jdbc:sqlserver://localhost:%d;databaseName=%s;encrypt=false"
            .formatted(server.port(), server.database()),
        "user",
        server.user(),
        "password",
        server.password(),
        "captureInstance",
        "dbo_" + GrowingServer.TABLE,
        "startingLsn",
        "earliest");
  }

  private static Sample snapshot(DebeziumSettings server) throws Exception {
    Counter counter = new Counter();
    return Meter.process(
            () -> {
              counter.take(
                  TestSession.get()
                      .read()
                      .format("mssql_cdc_snapshot")
                      .options(options(server))
                      .load());
              counter.require(ROWS);
            })
        .perCpuSecond(ROWS);
  }

  private static Sample changes(DebeziumSettings server, Scratch scratch) throws Exception {
    Counter counter = new Counter();
    VoidFunction2<Dataset<Row>, Long> take = (batch, id) -> counter.take(batch);
    String checkpoint = fresh(scratch).toUri().toString();
    return Meter.process(
            () -> {
              TestSession.get()
                  .readStream()
                  .format("mssql_cdc")
                  .options(options(server))
                  .load()
                  .writeStream()
                  .option("checkpointLocation", checkpoint)
                  .trigger(Trigger.AvailableNow())
                  .foreachBatch(take)
                  .start()
                  .awaitTermination();
              counter.require(CHANGES);
            })
        .perCpuSecond(CHANGES);
  }

  /** Looks at each row as an object, and lets go of it. */
  private static final class Counter {
    private final SparkSession spark = TestSession.get();
    private final LongAccumulator rows = spark.sparkContext().longAccumulator();

    void take(Dataset<Row> frame) {
      LongAccumulator count = rows;
      ForeachPartitionFunction<Row> look =
          part -> part.forEachRemaining(row -> count.add(row.length() > 0 ? 1 : 0));
      frame.foreachPartition(look);
    }

    void require(long expected) {
      if (rows.sum() != expected) {
        throw new IllegalStateException(rows.sum() + " rows instead of " + expected);
      }
    }
  }

  private static Sample theirSnapshot(DebeziumSettings server, Scratch scratch) throws Exception {
    Path folder = fresh(scratch);
    return Meter.process(
            () -> debezium(server, folder, Map.of("snapshot.mode", "initial_only"), ROWS))
        .perCpuSecond(ROWS);
  }

  /** From where it stood before there were changes. */
  private static Sample theirChanges(DebeziumSettings server, Scratch scratch, Path beginning)
      throws Exception {
    Path folder = fresh(scratch);
    FileUtils.copyDirectory(beginning.toFile(), folder.toFile());
    return Meter.process(() -> debezium(server, folder, Map.of(), CHANGES)).perCpuSecond(CHANGES);
  }

  private static Path fresh(Scratch scratch) throws Exception {
    return Files.createTempDirectory(Files.createDirectories(Path.of(scratch.path("run"))), "run");
  }

  /** Runs its engine until it has handed out so many records of rows. */
  private static void debezium(
      DebeziumSettings server, Path folder, Map<String, String> more, long expected)
      throws Exception {
    Files.createDirectories(folder);
    Properties settings = server.of(folder, "dbo." + GrowingServer.TABLE);
    settings.putAll(more);
    AtomicLong rows = new AtomicLong();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    CountDownLatch done = new CountDownLatch(1);
    try (var engine =
        DebeziumEngine.create(Connect.class)
            .using(settings)
            .using(
                (success, message, error) -> {
                  failure.set(success ? null : new IllegalStateException(message, error));
                  done.countDown();
                })
            .notifying(
                event -> {
                  if (event.value().topic().endsWith("." + GrowingServer.TABLE)
                      && rows.incrementAndGet() == expected) {
                    done.countDown();
                  }
                })
            .build()) {
      Thread thread = new Thread(engine, "debezium");
      thread.start();
      done.await();
    }
    if (failure.get() != null || rows.get() != expected) {
      throw new IllegalStateException(
          "Debezium told " + rows.get() + " rows instead of " + expected, failure.get());
    }
  }
}
