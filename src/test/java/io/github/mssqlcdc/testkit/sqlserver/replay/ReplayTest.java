package io.github.mssqlcdc.testkit.sqlserver.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.pipeline.CdcStream;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("spark")
final class ReplayTest {
  private static final int ROWS = 120_000;
  private static final int CHANGES = 100_001;
  private static final int COMMITS = 3;
  private static final int LARGE_CELL = 9_000_000;

  private static final ReplayTable TABLE =
      ReplayTable.of(
              "wide",
              "n int NULL, amount decimal(18, 4) NULL, name nvarchar(50) NULL, code varchar(20)"
                  + " NULL, at datetime2(7) NULL, day date NULL, flag bit NULL, price money NULL,"
                  + " uid uniqueidentifier NULL, note nvarchar(max) NULL, data varbinary(max) NULL",
              ROWS)
          .withChanges(CHANGES, COMMITS)
          .withWidth(60)
          .withNulls(20)
          .withLargeCell(LARGE_CELL);

  private static ReplayProcess server;

  private final SparkSession spark = TestSession.get();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @BeforeAll
  static void start() throws Exception {
    server = ReplayProcess.start("512m", TABLE);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aPlainLoopReadsAllRowsAndTheirValues() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id, name, note, at FROM dbo.wide")) {
      long expected = 0;
      int longest = 0;
      int nulls = 0;
      while (rows.next()) {
        assertThat(rows.getLong(1)).isEqualTo(++expected);
        String name = rows.getString(2);
        nulls += name == null ? 1 : 0;
        longest = Math.max(longest, name == null ? 0 : name.length());
      }
      assertThat(expected).isEqualTo(ROWS);
      assertThat(longest).isEqualTo(50);
      assertThat(nulls / (double) ROWS).isBetween(0.15, 0.25);
    }
  }

  @Test
  void theLargeCellIsInTheMiddleAndNowhereElse() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id, large FROM dbo.wide")) {
      List<Long> found = new ArrayList<>();
      while (rows.next()) {
        byte[] large = rows.getBytes(2);
        if (large != null) {
          assertThat(large).hasSize(LARGE_CELL);
          found.add(rows.getLong(1));
        }
      }
      assertThat(found).containsExactly(ROWS / 2 + 1L);
    }
  }

  @Test
  void aRangeOfKeysAndATopAreKept() throws SQLException {
    assertThat(ids("SELECT id FROM dbo.wide WHERE id >= 11 AND id < 14"))
        .containsExactly(11L, 12L, 13L);
    assertThat(ids("SELECT TOP (2) id FROM dbo.wide WHERE id > 5")).containsExactly(6L, 7L);
    assertThat(ids("SELECT id FROM dbo.wide WHERE 1 = 0")).isEmpty();
  }

  @Test
  void whatItCannotDoIsAnErrorRatherThanAWrongAnswer() {
    assertThatThrownBy(() -> ids("SELECT COUNT(*) FROM dbo.wide"))
        .hasMessageContaining("Unsupported by the replay of a table: aggregates");
    assertThatThrownBy(() -> ids("SELECT id FROM dbo.wide WHERE n = 3"))
        .hasMessageContaining("Unsupported by the replay of a table: a condition on n");
  }

  @Test
  void anAbandonedReadEnds() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      ResultSet rows = statement.executeQuery("SELECT * FROM dbo.wide");
      assertThat(rows.next()).isTrue();
      statement.cancel();
      rows.close();
      assertThat(connection.isValid(5)).isTrue();
    }
  }

  @Test
  void sparksOwnSourceReadsItInPartitions() {
    Map<String, String> options = new HashMap<>(server.options(TABLE));
    options.remove("captureInstance");
    options.putAll(
        Map.of(
            "dbtable", "dbo.wide",
            "partitionColumn", "id",
            "lowerBound", "1",
            "upperBound", String.valueOf(ROWS + 1),
            "numPartitions", "3"));
    assertWhole(spark.read().format("jdbc").options(options).load().selectExpr("id", "note"), ROWS);
  }

  @Test
  void theSnapshotReadsItInRanges() {
    Map<String, String> options = new HashMap<>(server.options(TABLE));
    options.put("numPartitions", "3");
    Dataset<Row> read = spark.read().format("mssql_cdc_snapshot").options(options).load();
    assertThat(read.rdd().getNumPartitions()).isEqualTo(3);
    assertWhole(read.selectExpr("id", "note", "data"), ROWS);
    assertThat(read.selectExpr("sum(length(large))").head().getLong(0))
        .as("larger than a column batch, and not the first of its range")
        .isEqualTo(LARGE_CELL);
  }

  @Test
  void theStreamReadsEachChangeOnceThoughItsRangesAreCutInsideCommits() throws Exception {
    Map<String, String> options = new HashMap<>(server.options(TABLE));
    options.putAll(Map.of("startingLsn", "earliest", "numPartitions", "4"));
    CdcStream.of(spark, options)
        .toDelta(folder.resolve("bronze").toString())
        .appId("replay")
        .checkpoint(folder.resolve("checkpoint").toString())
        .factsTable(folder.resolve("facts").toString())
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();
    Dataset<Row> bronze = spark.read().format("delta").load(folder.resolve("bronze").toString());
    assertWhole(bronze.selectExpr("id", "name"), CHANGES);
    assertThat(bronze.selectExpr("_start_lsn").distinct().count()).isEqualTo(COMMITS);
    assertThat(bronze.selectExpr("_seqval").distinct().count()).isEqualTo(CHANGES);
    assertThat(bronze.selectExpr("input_file_name()").distinct().count())
        .as("files, one of each range")
        .isEqualTo(2);
  }

  private static void assertWhole(Dataset<Row> read, long rows) {
    Row found = read.selectExpr("count(*)", "sum(id)", "count(DISTINCT id)").head();
    assertThat(found.getLong(0)).isEqualTo(rows);
    assertThat(found.getLong(1)).isEqualTo(rows * (rows + 1) / 2);
    assertThat(found.getLong(2)).isEqualTo(rows);
  }

  private static List<Long> ids(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<Long> ids = new ArrayList<>();
      while (rows.next()) {
        ids.add(rows.getLong(1));
      }
      return ids;
    }
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(server.url(), server.user(), server.password());
  }
}
