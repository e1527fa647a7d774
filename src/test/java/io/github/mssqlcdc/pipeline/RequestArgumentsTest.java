package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.backfill.BackfillLimits;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.options.Isolation;
import io.github.mssqlcdc.options.OnDataLoss;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No server stands behind these options: every error comes before one is reached. */
@Tag("spark")
final class RequestArgumentsTest {
  private static final Map<String, String> OPTIONS =
      Map.of(
          "url", "jdbc:sqlserver://nowhere.invalid:1;databaseName=shop",
          "user", "reader",
          "password", "secret-word",
          "captureInstance", "dbo_orders");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private CdcStream stream(String... more) {
    Map<String, String> options = new HashMap<>(OPTIONS);
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return CdcStream.of(TestSession.get(), options);
  }

  private DeltaStreamRequest request(CdcStream stream) {
    return stream
        .toDelta(folder.resolve("bronze").toString())
        .appId("orders-v1")
        .checkpoint(folder.resolve("checkpoint").toString());
  }

  private AbstractThrowableAssert<?, ?> assertRefused(ThrowingCallable call) {
    AbstractThrowableAssert<?, ?> refused =
        assertThatThrownBy(call)
            .isInstanceOf(InvalidRequestException.class)
            .hasMessageNotContaining("secret-word");
    assertThat(folder).isEmptyDirectory();
    return refused;
  }

  @Test
  void aBadOptionShowsWhereTheStreamIsMade() {
    assertRefused(() -> stream("failOnDataLoss", "ture"))
        .hasMessageContaining("failOnDataLoss")
        .hasMessageContaining("ture");
    assertRefused(() -> stream("maxCommitsPerBatch", "0")).hasMessageContaining("omit it");
  }

  @Test
  @SuppressWarnings("NullAway") // null is what is refused
  void aReSnapshotNeedsFactsAndThatLossesFail() {
    assertRefused(() -> request(stream()).onDataLoss(OnDataLoss.RESNAPSHOT).start())
        .hasMessageStartingWith("Missing factsTable: onDataLoss resnapshot");
    for (String no : new String[] {"false", "no"}) {
      assertRefused(
              () ->
                  request(stream("failOnDataLoss", no))
                      .factsTable(folder.resolve("facts").toString())
                      .onDataLoss("Resnapshot")
                      .start())
          .hasMessageContainingAll("'failOnDataLoss'", "it needs true");
    }
    assertRefused(() -> stream("failOnDataLoss", "off")).hasMessageContaining("off");
    assertRefused(() -> request(stream()).onDataLoss("skip"))
        .hasMessage("Invalid value 'skip' of onDataLoss: expected fail or resnapshot");
    assertRefused(
            () ->
                request(stream())
                    .factsTable(folder.resolve("facts").toString())
                    .onDataLoss(OnDataLoss.RESNAPSHOT)
                    .resnapshotInterval(Duration.ofDays(-1))
                    .start())
        .hasMessage("Invalid resnapshotInterval PT-24H: give at least 0");
    assertRefused(() -> request(stream()).resnapshotInterval(null).start())
        .hasMessage("Invalid resnapshotInterval null: give a value, or leave the call out");
    assertRefused(() -> request(stream()).onDataLoss((OnDataLoss) null).start())
        .hasMessageContaining("onDataLoss null");
    assertRefused(() -> request(stream()).snapshot((SnapshotMode) null).start())
        .hasMessageContaining("snapshot null");
  }

  @Test
  void whatIsMissingIsNamed() {
    assertRefused(() -> stream().toDelta(" ").appId("a").checkpoint("/ck").start())
        .hasMessage("Missing table: give its name, for example bronze.orders, or its path");
    assertRefused(() -> stream().toDelta("t").checkpoint("/ck").start())
        .hasMessage("Missing appId: set it with .appId(\"orders-v1\")");
    assertRefused(() -> stream().toDelta("t").appId("a").start())
        .hasMessage("Missing checkpoint: set it with .checkpoint(\"/checkpoints/orders\")");
    assertRefused(() -> request(stream()).factsTable("").start())
        .hasMessage("Invalid factsTable '': give a value or leave it out");
  }

  @ParameterizedTest
  @ValueSource(strings = {"orders#1", "orders/1", "orders 1", "a'b"})
  void anAppIdHasLettersDigitsAndFewMarks(String appId) {
    assertRefused(() -> request(stream()).appId(appId).start())
        .hasMessage("Invalid appId '" + appId + "': letters, digits, '-', '_' and '.' are allowed");
  }

  @Test
  void anAppIdDoesNotEndAsAGenerationDoes() {
    assertRefused(() -> request(stream()).appId("orders.g1").start())
        .hasMessage(
            "Invalid appId 'orders.g1': an end like .g1 is kept for the generations after a"
                + " re-snapshot");
    assertThat(Arguments.requireAppId("Größe-1_a.g")).isEqualTo("Größe-1_a.g");
  }

  @Test
  void bootstrapExcludesAnotherStart() {
    assertRefused(() -> request(stream("StartingLsn", "earliest")).bootstrap(true).start())
        .hasMessageStartingWith("Invalid option 'StartingLsn' together with bootstrap");
    assertRefused(
            () ->
                request(stream("startingTimestamp", "2026-09-30T02:00:00Z"))
                    .bootstrap(true)
                    .start())
        .hasMessageStartingWith("Invalid option 'startingTimestamp' together with bootstrap");
  }

  @ParameterizedTest
  @ValueSource(strings = {"snapshotLsn", "SNAPSHOTCHUNKS"})
  void aSnapshotOfTheFacadeIsWholeAndStampedByItself(String option) {
    assertRefused(() -> stream(option, option.endsWith("Lsn") ? "0x2C" : "[]"))
        .hasMessageStartingWith(
            "Invalid option '" + option + "': it is for reading the format mssql_cdc_snapshot");
  }

  @Test
  void onlyTriggersOfMicroBatchesAreAllowed() {
    assertRefused(() -> request(stream()).trigger(Trigger.Continuous("1 second")).start())
        .hasMessageStartingWith("Unsupported trigger");
  }

  @Test
  void aSnapshotWithFactsNeedsAnAppId() {
    assertRefused(() -> stream().snapshot("t").factsTable("f").run())
        .hasMessageStartingWith("Missing appId");
    assertRefused(() -> stream().snapshot("t").appId("a#b").run())
        .hasMessageStartingWith("Invalid appId 'a#b'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a b|Invalid table 'a b': give a name such as bronze.orders",
        "a.b.c.d|Invalid table 'a.b.c.d': give a name such as bronze.orders",
        "a.|Invalid table 'a.': give a name such as bronze.orders",
        "no_such.t|Unknown schema 'no_such' of table 'no_such.t': make it with CREATE SCHEMA"
            + " no_such, or name another",
        "`größe`|Invalid table '`größe`': in Spark's own catalog a name has ASCII letters",
        "spark_catalog.default.`a b`|Invalid table 'spark_catalog.default.`a b`': in Spark's own",
        "foo://x|Invalid table 'foo://x': its path can't be looked at from this session: No",
        "a:b|Invalid table 'a:b': its path can't be looked at",
        "delta.`/lake/t`|Invalid table 'delta.`/lake/t`': give the path alone"
      })
  void aPlaceWhereNoTableCanBeIsRefusedBeforeTheSourceIsReached(String table, String message) {
    assertRefused(() -> stream().toDelta(table).appId("a").checkpoint(path("ck")).start())
        .hasMessageStartingWith(message);
    assertRefused(() -> request(stream()).factsTable(table).start())
        .hasMessageStartingWith(message);
    assertRefused(() -> stream().snapshot(table).run()).hasMessageStartingWith(message);
    assertRefused(() -> stream().snapshot(path("b")).appId("a").factsTable(table).run())
        .hasMessageStartingWith(message);
  }

  @Test
  void oneTableIsNotTargetAndFactsHoweverItIsSpelt(@TempDir Path other) throws Exception {
    String made = "made_" + System.nanoTime();
    String named = "named_" + System.nanoTime();
    SparkSession spark = TestSession.get();
    spark.sql("CREATE TABLE " + made + " (id INT) USING delta");
    spark.sql(
        "CREATE TABLE " + named + " (id INT) USING delta LOCATION '" + other.resolve("t") + "'");
    String inWarehouse = spark.catalog().getDatabase("default").locationUri() + "/" + made;

    assertSame("new_one", "default.new_one");
    assertSame("new_one", "SPARK_catalog.default.`New_One`");
    assertSame("spark_catalog.default.new_one", "`default`.new_one");
    assertSame(made, "spark_catalog.default." + made);
    assertSame(made, inWarehouse);
    assertSame("default." + named, other.resolve("t") + "/");
    assertSame(other.resolve("t").toUri().toString(), named);
    assertSame(path("x"), "file://" + path("y/..") + "/x/");
  }

  private void assertSame(String target, String facts) {
    String message =
        "Invalid factsTable '"
            + facts
            + "': it is the target '"
            + target
            + "'; give the facts a table of its own";
    assertRefused(
            () ->
                stream()
                    .toDelta(target)
                    .appId("a")
                    .checkpoint(path("ck"))
                    .factsTable(facts)
                    .start())
        .hasMessage(message);
    assertRefused(() -> stream().snapshot(target).appId("a").factsTable(facts).run())
        .hasMessage(message);
  }

  @Test
  void aFolderOfOtherFilesIsRefusedBeforeTheSourceIsReached(@TempDir Path other)
      throws IOException {
    Files.writeString(other.resolve("part-0.parquet"), "x");
    String table = other.toString();
    String message =
        "Unsupported table '"
            + table
            + "': it is no Delta table, but other files stand there (part-0.parquet); name a Delta"
            + " table, or a new or empty folder";
    String uri = other.toUri().toString();

    assertRefused(() -> stream().toDelta(table).appId("a").checkpoint(path("ck")).start())
        .hasMessage(message);
    assertRefused(() -> request(stream()).factsTable(table).start()).hasMessage(message);
    assertRefused(() -> stream().snapshot(table).run()).hasMessage(message);
    assertRefused(() -> stream().snapshot(uri).run())
        .hasMessageStartingWith("Unsupported table '" + uri + "': it is no Delta table");
    assertRefused(() -> stream().snapshot(other.resolve("part-0.parquet").toString()).run())
        .hasMessageContaining("it is no Delta table");

    Path making = Files.createDirectories(other.resolve("making/_delta_log")).getParent();
    assertThatThrownBy(() -> stream().snapshot(String.valueOf(making)).run())
        .hasMessageStartingWith("Cannot connect");
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void aUrlWithoutADatabaseIsRefused() {
    assertRefused(() -> stream("url", "jdbc:sqlserver://nowhere.invalid:1").snapshot("t").run())
        .hasMessage(
            "Invalid option 'url': it names no database; add ;databaseName=… (a name with special"
                + " characters in braces)");
  }

  @Test
  void aSnapshotOnASwitchNeedsFacts() {
    assertRefused(() -> request(stream()).snapshotOnSwitch(true).start())
        .hasMessageStartingWith("Missing factsTable: snapshotOnSwitch");
  }

  @Test
  void aChunkedSnapshotNeedsFactsAndBootstrap() {
    assertRefused(() -> request(stream()).bootstrap(true).snapshot(SnapshotMode.CHUNKED).start())
        .hasMessageStartingWith("Missing factsTable: a chunked snapshot keeps its state there");
    assertRefused(() -> request(stream()).factsTable("f").snapshot("chunked").start())
        .hasMessageStartingWith("Invalid snapshot chunked without bootstrap");
    assertRefused(() -> request(stream()).snapshot("lazy"))
        .hasMessageContaining("expected full or chunked");
  }

  @Test
  void aBackfillNeedsItsNames() {
    assertRefused(() -> stream().backfill("t").factsTable("f").run())
        .hasMessageStartingWith("Missing appId");
    assertRefused(() -> stream().backfill("t").appId("a").run())
        .hasMessageStartingWith("Missing factsTable");
    assertRefused(() -> stream().abandonSnapshot("t").factsTable("f").run())
        .hasMessageStartingWith("Missing appId");
    assertRefused(() -> stream().abandonSnapshot("t").appId("a").run())
        .hasMessageStartingWith("Missing factsTable");
  }

  @Test
  @SuppressWarnings("NullAway") // null is what is refused
  void aBackfillsLimitsAreNotNegative() {
    Duration negative = Duration.ofSeconds(-1);
    assertRefused(() -> backfill().chunkRows(0).run())
        .hasMessage("Invalid chunkRows 0: give at least 1");
    assertRefused(() -> backfill().maxWaves(-1).run())
        .hasMessage("Invalid maxWaves -1: give at least 0");
    assertRefused(() -> backfill().targetWave(negative).run())
        .hasMessage("Invalid targetWave PT-1S: give at least 0");
    assertRefused(() -> backfill().targetWave(null).run())
        .hasMessage("Invalid targetWave null: give a value, or leave the call out");
    assertRefused(() -> backfill().maxDuration(negative).run()).hasMessageContaining("maxDuration");
    assertRefused(() -> backfill().minHeadroom(negative).run()).hasMessageContaining("minHeadroom");
  }

  @Test
  void aBackfillWithoutArgumentsReadsAMillionRowsPerChunkForFiveMinutesPerWave() {
    assertThat(backfill().limits(4))
        .isEqualTo(new BackfillLimits(1_000_000, 4, Duration.ofMinutes(5), null, null, null));
  }

  @Test
  void theIsolationOfABackfillWinsOverTheStreams() {
    CdcStream snapshot = stream("IsolationLevel", "snapshot");
    assertThat(snapshot.backfill("t").sourceOptions()).containsEntry("IsolationLevel", "snapshot");
    assertThat(snapshot.backfill("t").isolation(Isolation.READ_COMMITTED).sourceOptions())
        .hasSize(OPTIONS.size() + 1)
        .containsEntry("isolationLevel", "readCommitted");
    assertThat(stream().backfill("t").isolation(Isolation.SNAPSHOT).sourceOptions())
        .containsEntry("isolationLevel", "snapshot");
  }

  private BackfillRequest backfill() {
    return stream().backfill("t").appId("a").factsTable("f");
  }
}
