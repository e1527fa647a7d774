package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delta.tables.DeltaTable;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
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
  private SeedFixture lake;

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
    lake =
        SeedFixture.create(
            database,
            folder,
            "id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL, size smallint NULL");
    lake.change("INSERT INTO $t VALUES (1, N'one', 1), (2, N'two', 2), (3, N'three', 3)");
  }

  @Test
  void aStreamGoesOnFromASeedAndNeverReadsTheTable() throws Exception {
    Instant asOf = lake.now();
    lake.change("INSERT INTO $t VALUES (4, N'in the copy, too', 4)");
    Dataset<Row> copy =
        lake.frame(
            "VALUES (1L, 'one', 1, true), (2L, 'two', 2, true), (3L, 'three', 3, false),"
                + " (4L, 'in the copy, too', 4, false), (99L, 'only in the copy', 9, false)"
                + " AS c(ID, NAME, Size, extra)");

    Offset at = lake.withFacts(lake.seed(copy, asOf)).run();
    lake.change(
        "UPDATE $t SET name = N'ONE' WHERE id = 1",
        "DELETE FROM $t WHERE id = 2",
        "INSERT INTO $t VALUES (5, N'five', 5)");
    lake.run();
    lake.run();

    assertThat(lake.latest())
        .containsExactly(
            "1|ONE|1", "3|three|3", "4|in the copy, too|4", "5|five|5", "99|only in the copy|9");
    assertThat(
            lake.sql(
                "SELECT DISTINCT _capture_instance, _start_lsn, _commit_ts = to_timestamp_ntz('"
                    + at.commitTs()
                    + "'), _snapshot, _chunk, _seqval, _command_id, _batch_id, _history FROM"
                    + " $bronze WHERE _operation = 0"))
        .containsExactly(
            lake.instance() + "|" + at.lsn() + "|true|" + at.lsn() + "|null|null|null|null|0");
    assertThat(at.commitTs()).isBeforeOrEqualTo(LocalDateTime.ofInstant(asOf, ZoneOffset.UTC));
    assertThat(
            lake.sql(
                "SELECT app_id, rows, min_lsn, max_lsn, end_lsn, batch_id, lost_from_ts,"
                    + " duration_ms IS NOT NULL FROM $facts WHERE event IS NOT NULL"))
        .containsExactly(
            String.format("orders-v1|5|%s|%s|%s|null|null|true", at.lsn(), at.lsn(), at.lsn()));
    assertThat(
            DeltaTable.forPath(SeedFixture.spark(), lake.path("bronze"))
                .history()
                .where("version = 1")
                .select("userMetadata")
                .head()
                .getString(0))
        .startsWith("{\"seed\": \"" + lake.instance() + "\", \"lsn\": \"" + at.lsn() + "\"");
  }

  @Test
  void aRerunReturnsTheSeedThatIsThere() throws Exception {
    Lsn first = lake.maxLsn();
    Instant asOf = lake.now();
    Offset seeded = lake.withFacts(lake.seed(lake.copy(), asOf)).run();
    lake.change("UPDATE $t SET size = 7");
    Lsn second = lake.maxLsn();

    assertThat(seeded.lsn()).isEqualTo(first);
    assertThat(lake.withFacts(lake.seed(lake.copy(), asOf)).run()).isEqualTo(seeded);
    assertThat(lake.seed(lake.copy(), first).run()).isEqualTo(seeded);
    assertThat(lake.stream().snapshot(lake.path("bronze")).run()).isEqualTo(seeded);
    lake.assertRefused(
        () -> lake.seed(lake.copy(), second).run(),
        "at "
            + second
            + ": it already holds a snapshot of the table, at "
            + first
            + ". Start the stream with bootstrap, which finds that one; or, to replace it after a"
            + " data loss, seed a newer copy with reseed(true)");
    assertThat(lake.sql("SELECT count(*) FROM $bronze")).containsExactly("4");
    assertThat(lake.sql("SELECT event FROM $facts")).containsExactly("bootstrap");

    Offset again = lake.seed(lake.copy().where("id < 3"), second).reseed(true).run();
    assertThat(again.lsn()).isEqualTo(second);
    assertThat(lake.seed(lake.copy(), asOf).run()).isEqualTo(seeded);
    assertThat(lake.seed(lake.copy(), second).reseed(true).run()).isEqualTo(again);
    assertThat(lake.stream().snapshot(lake.path("bronze")).run()).isEqualTo(again);
    Lsn between = second.previous();
    lake.assertRefused(
        () -> lake.seed(lake.copy(), between).reseed(true).run(),
        ", which is newer. Seed a copy that was begun after it");
    assertThat(lake.sql("SELECT count(*) FROM $bronze")).containsExactly("6");
  }

  @Test
  void afterCleanupARerunStillFindsItsSeedAndAnotherCopyIsTooOld() {
    Lsn lsn = lake.maxLsn();
    Instant asOf = lake.now();
    Offset seeded = lake.seed(lake.copy(), asOf).run();
    lake.change("UPDATE $t SET size = 7", "UPDATE $t SET size = 8", "UPDATE $t SET size = 9");
    lake.database()
        .run(
            "DECLARE @max binary(10) = sys.fn_cdc_get_max_lsn();"
                + " EXEC sys.sp_cdc_cleanup_change_table @capture_instance = N'"
                + lake.instance()
                + "', @low_water_mark = @max, @threshold = 5000");

    assertThat(lake.seed(lake.copy(), asOf).run()).isEqualTo(seeded);
    assertThat(lake.seed(lake.copy(), lsn).run()).isEqualTo(seeded);
    for (SeedRequest tooOld :
        List.of(
            lake.seed(lake.copy(), asOf).reseed(true),
            lake.stream().seed(lake.path("other"), lake.copy(), asOf),
            lake.stream().seed(lake.path("other"), lake.copy(), lsn))) {
      assertThatThrownBy(tooOld::run)
          .isInstanceOf(DataLossException.class)
          .hasMessageContaining("from min LSN " + lake.minLsn())
          .hasMessageEndingWith(
              "the copy is older than the retention of CDC, or than the capture instance. Nothing"
                  + " was written. Seed a newer copy");
    }
    assertThat(Files.exists(folder.resolve("other"))).isFalse();
  }

  @Test
  void aPointThatTheServerDoesNotHaveIsRefused() {
    Lsn ahead = Lsn.parse("0x7FFFFFFF000000010001");

    lake.assertRefused(
        () -> lake.withFacts(lake.seed(lake.copy(), ahead)).run(),
        "Invalid asOf " + ahead + ": the server's max LSN is ");
    lake.assertRefused(
        () -> lake.withFacts(lake.seed(lake.copy(), Instant.now().plusSeconds(7200))).run(),
        "it is in the future, the server's clock says ");
    for (Instant old : List.of(Instant.parse("2001-01-01T00:00:00Z"), Instant.MIN)) {
      assertThatThrownBy(() -> lake.withFacts(lake.seed(lake.copy(), old)).run())
          .isInstanceOf(DataLossException.class)
          .hasMessageContaining("older than the retention");
    }
    assertThatThrownBy(() -> lake.seed(lake.copy(), Lsn.ZERO).run())
        .isInstanceOf(DataLossException.class);
    lake.assertNothingWritten();
  }

  @Test
  void anEmptyCopyIsASeedToo() throws Exception {
    lake.change("DELETE FROM $t");
    Lsn lsn = lake.maxLsn();

    Offset at = lake.withFacts(lake.seed(lake.copy().where("id < 0"), lsn)).run();
    lake.change("INSERT INTO $t VALUES (6, N'six', 6)");
    lake.run();

    assertThat(lake.seed(lake.copy(), lsn).run()).isEqualTo(at);
    assertThat(lake.latest()).containsExactly("6|six|6");
    assertThat(lake.sql("SELECT rows FROM $facts WHERE event = 'bootstrap'")).containsExactly("0");
  }

  @Test
  void whatIsNoCopyIsRefused() {
    Lsn lsn = lake.maxLsn();
    lake.assertRefused(
        () -> lake.seed(lake.copy(), lsn).factsTable(lake.path("facts")).run(),
        "Missing appId: with factsTable");
    lake.assertRefused(
        () -> lake.seed(lake.copy(), lsn).margin(Duration.ofSeconds(1)).run(),
        "Invalid margin PT1S: it is");
    lake.assertRefused(
        () -> lake.seed(lake.copy(), lake.now()).margin(Duration.ofSeconds(-1)).run(),
        "Invalid margin PT-1S: 0");
    lake.assertRefused(
        () -> lake.seed(SeedFixture.spark().readStream().format("rate").load(), lsn).run(),
        "Cannot seed from a streaming Dataset");
    lake.assertNothingWritten();

    Offset seeded = lake.seed(lake.copy(), lsn).run();
    lake.change("UPDATE $t SET size = 5");
    Dataset<Row> itself = lake.read("bronze").where("id > 0");
    lake.assertRefused(
        () -> lake.seed(itself, lake.maxLsn()).reseed(true).run(),
        "Cannot seed '" + lake.path("bronze") + "' from itself");
    assertThat(seeded.lsn()).isEqualTo(lsn);
  }
}
