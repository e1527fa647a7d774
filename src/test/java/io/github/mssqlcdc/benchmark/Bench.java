package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.pipeline.CdcStream;
import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.Trigger;

/** What the benchmarks run on: a stand-in with one tracked table, a session, a folder. */
final class Bench implements AutoCloseable {
  static final int COMMITS = 10;
  static final int ROWS_PER_COMMIT = 20;

  private static final String DATABASE = "bench";

  private final StandIn standIn = StandIn.builder().manualCapture().start();
  private final SparkSession spark = TestSession.get();
  private final Path folder;
  private int nextId = 1;

  private Bench(Path folder) {
    this.folder = folder;
  }

  static Bench start() throws IOException, SQLException {
    Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
    Bench bench = new Bench(Files.createTempDirectory(target, "benchmark"));
    bench.run("master", "CREATE DATABASE " + DATABASE);
    bench.run(DATABASE, "EXEC sys.sp_cdc_enable_db");
    bench.run(
        DATABASE,
        "CREATE TABLE dbo.events (id int NOT NULL PRIMARY KEY, name nvarchar(40) NOT NULL,"
            + " amount decimal(12,2) NOT NULL, at datetime2(3) NOT NULL)");
    bench.run(
        DATABASE,
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'events',"
            + " @role_name = NULL");
    bench.capture();
    return bench;
  }

  SparkSession spark() {
    return spark;
  }

  StandIn standIn() {
    return standIn;
  }

  String path(String name) {
    return folder.resolve(name).toString();
  }

  /** Ten commits of the same size, not yet captured. */
  void commits() throws SQLException {
    commits(COMMITS, ROWS_PER_COMMIT);
  }

  void commits(int commits, int rows) throws SQLException {
    for (int commit = 0; commit < commits; commit++) {
      StringBuilder sql =
          new StringBuilder("INSERT INTO dbo.events (id, name, amount, at) VALUES ");
      for (int row = 0; row < rows; row++) {
        sql.append(row == 0 ? "" : ", ")
            .append(
                "(%d, N'event %d', %d.25, '2026-03-01T10:00:00')"
                    .formatted(nextId, nextId, nextId));
        nextId++;
      }
      run(DATABASE, sql.toString());
    }
  }

  /** Statement batches in the benchmarks' database. */
  void inDatabase(String... batches) throws SQLException {
    for (String batch : batches) {
      run(DATABASE, batch);
    }
  }

  void capture() {
    standIn.capture();
  }

  /** As a client reaches the stand-in through this port. */
  String url(int port) {
    return standIn.url(DATABASE).replace(":" + standIn.port() + ";", ":" + port + ";");
  }

  /** Options that read the tracked table. */
  Map<String, String> options(Map<String, String> more) {
    Map<String, String> options = new HashMap<>();
    options.put("url", standIn.url(DATABASE));
    options.put("user", standIn.adminUser());
    options.put("password", standIn.adminPassword());
    options.put("captureInstance", "dbo_events");
    options.putAll(more);
    return options;
  }

  /** The product's stream. */
  StreamingQuery stream(Map<String, String> more) {
    return CdcStream.of(spark, options(more))
        .toDelta(path("bronze"))
        .appId("bench")
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .trigger(Trigger.ProcessingTime(0))
        .start();
  }

  /** The newest batch that had rows; waits until there is one later than {@code after}. */
  static StreamingQueryProgress batchAfter(StreamingQuery query, long after) throws Exception {
    while (true) {
      Optional<StreamingQueryProgress> newest =
          Arrays.stream(query.recentProgress())
              .filter(progress -> progress.numInputRows() > 0 && progress.batchId() > after)
              .reduce((first, second) -> second);
      if (newest.isPresent()) {
        return newest.get();
      }
      if (query.awaitTermination(5)) {
        throw new IllegalStateException("The query has ended");
      }
    }
  }

  private void run(String database, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(
                standIn.url(database), standIn.adminUser(), standIn.adminPassword());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    standIn.close();
  }
}
