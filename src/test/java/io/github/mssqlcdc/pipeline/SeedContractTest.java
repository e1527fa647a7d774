package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delta.tables.DeltaTable;
import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.delta.StreamTables;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A target begun with a copy, against a server. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class SeedContractTest {
  private static TestDatabase database;

  @TempDir private Path folder;
  private final SparkSession spark = TestSession.get();
  private String table;

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void createTable() {
    create("id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL, size smallint NULL");
    change("INSERT INTO $t VALUES (1, N'one', 1), (2, N'two', 2), (3, N'three', 3)");
  }

  private void create(String columns) {
    table = "t" + UUID.randomUUID().toString().substring(0, 8);
    database.run(
        "CREATE TABLE dbo." + table + " (" + columns + ")",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @role_name = NULL");
    database.awaitCapture();
  }

  /** Nothing but the seed brings the row 99, so a snapshot of the table would lack it. */
  private Dataset<Row> copy() {
    return frame(
        "VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', 3), (99, 'only in the copy', 9)"
            + " AS c(id, name, size)");
  }

  private Dataset<Row> frame(String relation) {
    return spark.sql("SELECT * FROM " + relation);
  }

  private CdcStream stream(String... more) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_" + table);
    options.put("pollInterval", "1ms");
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return CdcStream.of(spark, options);
  }

  private SeedRequest seed(Dataset<Row> copy, Lsn asOf) {
    return stream().seed(path("bronze"), copy, asOf);
  }

  private SeedRequest seed(Dataset<Row> copy, Instant asOf) {
    return stream().seed(path("bronze"), copy, asOf).margin(Duration.ZERO);
  }

  private SeedRequest withFacts(SeedRequest request) {
    return request.appId("orders-v1").factsTable(path("facts"));
  }

  private void run() throws Exception {
    stream()
        .toDelta(path("bronze"))
        .appId("orders-v1")
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .trigger(Trigger.AvailableNow())
        .bootstrap(true)
        .start()
        .awaitTermination();
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private void change(String... statements) {
    for (String statement : statements) {
      database.run(statement.replace("$t", "dbo." + table));
    }
    database.awaitCapture();
  }

  private Lsn maxLsn() {
    String sql = "SELECT CONVERT(varchar(22), sys.fn_cdc_get_max_lsn(), 1)";
    return Lsn.parse(database.query(sql).get(0).get(0).toString());
  }

  /** Later than all commits so far, to the second. */
  private Instant now() {
    database.run("WAITFOR DELAY '00:00:01.1'");
    String sql = "SELECT CONVERT(varchar(23), SYSUTCDATETIME(), 126) + 'Z'";
    return Instant.parse(database.query(sql).get(0).get(0).toString());
  }

  private List<String> sql(String query) {
    return new StreamTables(path("bronze"), path("facts")).sql(query);
  }

  private List<String> latest() {
    return sql(
        "SELECT id, name, size FROM (SELECT *, row_number() OVER (PARTITION BY id ORDER BY"
            + " _history DESC, _start_lsn DESC, _command_id DESC, _seqval DESC, _operation DESC)"
            + " AS n FROM $bronze) WHERE n = 1 AND _operation IN (0, 2, 4) ORDER BY id");
  }

  private void assertNothingWritten() {
    assertThat(Files.exists(folder.resolve("bronze"))).isFalse();
    assertThat(Files.exists(folder.resolve("facts"))).isFalse();
  }

  private void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidRequestException.class)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aStreamGoesOnFromASeedAndNeverReadsTheTable() throws Exception {
    Instant asOf = now();
    change("INSERT INTO $t VALUES (4, N'in the copy, too', 4)");
    Dataset<Row> copy =
        frame(
            "VALUES (1L, 'one', 1, true), (2L, 'two', 2, true), (3L, 'three', 3, false),"
                + " (4L, 'in the copy, too', 4, false), (99L, 'only in the copy', 9, false)"
                + " AS c(ID, NAME, Size, extra)");

    Offset at = withFacts(seed(copy, asOf)).run();
    change(
        "UPDATE $t SET name = N'ONE' WHERE id = 1",
        "DELETE FROM $t WHERE id = 2",
        "INSERT INTO $t VALUES (5, N'five', 5)");
    run();
    run();

    assertThat(latest())
        .containsExactly(
            "1|ONE|1", "3|three|3", "4|in the copy, too|4", "5|five|5", "99|only in the copy|9");
    assertThat(
            sql(
                "SELECT DISTINCT _capture_instance, _start_lsn, _commit_ts = to_timestamp_ntz('"
                    + at.commitTs()
                    + "'), _snapshot, _chunk, _seqval, _command_id, _batch_id, _history FROM"
                    + " $bronze WHERE _operation = 0"))
        .containsExactly(
            "dbo_" + table + "|" + at.lsn() + "|true|" + at.lsn() + "|null|null|null|null|0");
    assertThat(at.commitTs()).isBeforeOrEqualTo(LocalDateTime.ofInstant(asOf, ZoneOffset.UTC));
    assertThat(
            sql(
                "SELECT app_id, rows, min_lsn, max_lsn, end_lsn, batch_id, lost_from_ts,"
                    + " duration_ms IS NOT NULL FROM $facts WHERE event IS NOT NULL"))
        .containsExactly(
            String.format("orders-v1|5|%s|%s|%s|null|null|true", at.lsn(), at.lsn(), at.lsn()));
    assertThat(
            DeltaTable.forPath(spark, path("bronze"))
                .history()
                .where("version = 1")
                .select("userMetadata")
                .head()
                .getString(0))
        .startsWith("{\"seed\": \"dbo_" + table + "\", \"lsn\": \"" + at.lsn() + "\"");
  }

  @Test
  void aRerunReturnsTheSeedThatIsThere() throws Exception {
    Lsn first = maxLsn();
    Instant asOf = now();
    Offset seeded = withFacts(seed(copy(), asOf)).run();
    change("UPDATE $t SET size = 7");
    Lsn second = maxLsn();

    assertThat(seeded.lsn()).isEqualTo(first);
    assertThat(withFacts(seed(copy(), asOf)).run()).isEqualTo(seeded);
    assertThat(seed(copy(), first).run()).isEqualTo(seeded);
    assertThat(stream().snapshot(path("bronze")).run()).isEqualTo(seeded);
    assertRefused(
        () -> seed(copy(), second).run(),
        "at "
            + second
            + ": it already holds a snapshot of the table, at "
            + first
            + ". Start the stream with bootstrap, which finds that one; or, to replace it after a"
            + " data loss, seed a newer copy with reseed(true)");
    assertThat(sql("SELECT count(*) FROM $bronze")).containsExactly("4");
    assertThat(sql("SELECT event FROM $facts")).containsExactly("bootstrap");

    Offset again = seed(copy().where("id < 3"), second).reseed(true).run();
    assertThat(again.lsn()).isEqualTo(second);
    assertThat(seed(copy(), asOf).run()).isEqualTo(seeded);
    assertThat(seed(copy(), second).reseed(true).run()).isEqualTo(again);
    assertThat(stream().snapshot(path("bronze")).run()).isEqualTo(again);
    Lsn between = second.previous();
    assertRefused(
        () -> seed(copy(), between).reseed(true).run(),
        ", which is newer. Seed a copy that was begun after it");
    assertThat(sql("SELECT count(*) FROM $bronze")).containsExactly("6");
  }

  @Test
  void afterCleanupARerunStillFindsItsSeedAndAnotherCopyIsTooOld() {
    Lsn lsn = maxLsn();
    Instant asOf = now();
    Offset seeded = seed(copy(), asOf).run();
    change("UPDATE $t SET size = 7", "UPDATE $t SET size = 8", "UPDATE $t SET size = 9");
    database.run(
        "DECLARE @max binary(10) = sys.fn_cdc_get_max_lsn();"
            + " EXEC sys.sp_cdc_cleanup_change_table @capture_instance = N'dbo_"
            + table
            + "', @low_water_mark = @max, @threshold = 5000");

    assertThat(seed(copy(), asOf).run()).isEqualTo(seeded);
    assertThat(seed(copy(), lsn).run()).isEqualTo(seeded);
    for (SeedRequest tooOld :
        List.of(
            seed(copy(), asOf).reseed(true),
            stream().seed(path("other"), copy(), asOf),
            stream().seed(path("other"), copy(), lsn))) {
      assertThatThrownBy(tooOld::run)
          .isInstanceOf(DataLossException.class)
          .hasMessageContaining("from min LSN " + maxLsn())
          .hasMessageEndingWith(
              "the copy is older than the retention of CDC, or than the capture instance. Nothing"
                  + " was written. Seed a newer copy");
    }
    assertThat(Files.exists(folder.resolve("other"))).isFalse();
  }

  @Test
  void aPointThatTheServerDoesNotHaveIsRefused() {
    Lsn ahead = maxLsn().next();

    assertRefused(
        () -> withFacts(seed(copy(), ahead)).run(),
        "Invalid asOf " + ahead + ": the server's max LSN is ");
    assertRefused(
        () -> withFacts(seed(copy(), Instant.now().plusSeconds(7200))).run(),
        "it is in the future, the server's clock says ");
    for (Instant old : List.of(Instant.parse("2001-01-01T00:00:00Z"), Instant.MIN)) {
      assertThatThrownBy(() -> withFacts(seed(copy(), old)).run())
          .isInstanceOf(DataLossException.class)
          .hasMessageContaining("older than the retention");
    }
    assertThatThrownBy(() -> seed(copy(), Lsn.ZERO).run()).isInstanceOf(DataLossException.class);
    assertNothingWritten();
  }

  @Test
  void columnsThatTheCopyLacksAreUnknownUntilAChangeBringsThem() throws Exception {
    Lsn lsn = maxLsn();
    Dataset<Row> copy = frame("VALUES (1, 1), (2, 2), (3, 3) AS c(id, SIZE)");
    assertThatThrownBy(() -> withFacts(seed(copy, lsn)).run())
        .isInstanceOfSatisfying(
            CdcError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_COLUMN))
        .hasMessageContaining(
            "The copy lacks columns [name] of the stream; it has [id, SIZE]. Give it these columns,"
                + " or set allowMissingColumns(true)");
    assertNothingWritten();

    withFacts(seed(copy, lsn).allowMissingColumns(true)).run();
    change("UPDATE $t SET name = N'TWO' WHERE id = 2");
    run();

    assertThat(
            sql(
                "SELECT id, name, size, _unknown_columns FROM $bronze WHERE _operation IN (0, 4)"
                    + " ORDER BY id, _operation"))
        .containsExactly(
            "1|null|1|ArraySeq(name)",
            "2|null|2|ArraySeq(name)",
            "2|TWO|2|null",
            "3|null|3|ArraySeq(name)");
  }

  @Test
  void aValueThatDoesNotFitItsColumnIsAnErrorWhateverTheSessionSays() {
    Lsn lsn = maxLsn();
    for (String ansi : List.of("true", "false")) {
      spark.conf().set("spark.sql.ansi.enabled", ansi);
      try {
        for (String size : List.of("40000L", "'x'")) {
          Dataset<Row> copy = frame("VALUES (1, 'one', " + size + ") AS c(id, name, size)");
          assertThatThrownBy(() -> seed(copy, lsn).run())
              .isInstanceOfSatisfying(
                  CdcError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_VALUE))
              .hasMessageStartingWith("Cannot cast a value of column 'size' of the copy from ")
              .hasMessageEndingWith(
                  " to SMALLINT: it doesn't fit. Nothing was written. Correct the copy, or leave"
                      + " the column out");
        }
        Dataset<Row> nested = frame("VALUES (1, 'one', array(1)) AS c(id, name, size)");
        assertRefused(
            () -> seed(nested, lsn).run(),
            "Cannot cast column 'size' of the copy from ARRAY<INT> to SMALLINT");
        Dataset<Row> date = frame("VALUES (1, 'one', DATE'2026-01-01') AS c(id, name, size)");
        assertRefused(
            () -> seed(date, lsn).run(),
            "Cannot cast column 'size' of the copy from DATE to SMALLINT");
      } finally {
        spark.conf().unset("spark.sql.ansi.enabled");
      }
    }
    assertThat(
            stream()
                .seed(path("text"), frame("VALUES ('1', 5, '7') AS c(id, name, size)"), lsn)
                .run()
                .lsn())
        .isEqualTo(lsn);
    assertThat(spark.read().format("delta").load(path("text")).select("id", "name", "size").head())
        .hasToString("[1,5,7]");
  }

  @Test
  void ofColumnsThatDifferInCaseTheExactOneIsMeant() {
    Lsn lsn = maxLsn();
    Dataset<Row> exact =
        frame("VALUES (1, 'one', 'ONE', 1) AS c(id, name, x, size)")
            .toDF("id", "name", "NAME", "size");
    Dataset<Row> unclear =
        frame("VALUES (1, 'one', 'ONE', 1) AS c(id, name, x, size)")
            .toDF("id", "Name", "NAME", "size");
    Dataset<Row> twice =
        frame("VALUES (1, 'one', 'ONE', 1) AS c(id, name, x, size)")
            .toDF("id", "name", "name", "size");

    for (Dataset<Row> copy : List.of(unclear, twice)) {
      assertRefused(
          () -> seed(copy, lsn).run(), "The copy has several columns for column 'name' of the");
    }
    assertNothingWritten();
    seed(exact, lsn).run();
    assertThat(sql("SELECT name FROM $bronze")).containsExactly("one");
  }

  @Test
  void aComputedColumnIsNullWhateverTheCopySays() throws Exception {
    create("id int NOT NULL PRIMARY KEY, a int NULL, twice AS (a * 2)");
    change("INSERT INTO $t (id, a) VALUES (1, 5)");
    Lsn lsn = maxLsn();

    stream("columns", "id INT, a INT, twice INT")
        .seed(path("bronze"), frame("VALUES (1, 5, 10) AS c(id, a, twice)"), lsn)
        .run();
    stream("columns", "id INT, a INT, twice INT")
        .seed(path("without"), frame("VALUES (1, 5) AS c(id, a)"), lsn)
        .run();

    assertThat(sql("SELECT id, a, twice FROM $bronze")).containsExactly("1|5|null");
    assertThat(spark.read().format("delta").load(path("without")).select("twice").head())
        .hasToString("[null]");
  }

  @Test
  void anEmptyCopyIsASeedToo() throws Exception {
    change("DELETE FROM $t");
    Lsn lsn = maxLsn();

    Offset at = withFacts(seed(copy().where("id < 0"), lsn)).run();
    change("INSERT INTO $t VALUES (6, N'six', 6)");
    run();

    assertThat(seed(copy(), lsn).run()).isEqualTo(at);
    assertThat(latest()).containsExactly("6|six|6");
    assertThat(sql("SELECT rows FROM $facts WHERE event = 'bootstrap'")).containsExactly("0");
  }

  @Test
  void whatIsNoCopyIsRefused() {
    Lsn lsn = maxLsn();
    assertRefused(
        () -> seed(copy(), lsn).factsTable(path("facts")).run(), "Missing appId: with factsTable");
    assertRefused(
        () -> seed(copy(), lsn).margin(Duration.ofSeconds(1)).run(), "Invalid margin PT1S: it is");
    assertRefused(
        () -> seed(copy(), now()).margin(Duration.ofSeconds(-1)).run(), "Invalid margin PT-1S: 0");
    assertRefused(
        () -> seed(spark.readStream().format("rate").load(), lsn).run(),
        "Cannot seed from a streaming Dataset");
    assertNothingWritten();

    Offset seeded = seed(copy(), lsn).run();
    change("UPDATE $t SET size = 5");
    Dataset<Row> itself = spark.read().format("delta").load(path("bronze")).where("id > 0");
    assertRefused(
        () -> seed(itself, maxLsn()).reseed(true).run(),
        "Cannot seed '" + path("bronze") + "' from itself");
    assertThat(seeded.lsn()).isEqualTo(lsn);
  }
}
