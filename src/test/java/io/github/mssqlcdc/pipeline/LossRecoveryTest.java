package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.snapshot.Generation;
import io.github.mssqlcdc.snapshot.LostChanges;
import io.github.mssqlcdc.snapshot.Purpose;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.delta.StreamTables;
import io.github.mssqlcdc.testkit.spark.DiskFaults;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From loss to loss, without a query: crashes, two jobs at once, attempts too soon. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class LossRecoveryTest {
  private static final String APP_ID = "orders-v1";

  @TempDir private Path folder;
  private Path lake;
  private final SparkSession spark = TestSession.get();
  private TestDatabase database;
  private int rows;

  @BeforeEach
  void open() {
    lake = folder.resolve("lake");
    database = TestDatabases.create();
    database.run(
        "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = NULL");
    lose();
  }

  @AfterEach
  void close() {
    database.close();
  }

  /** Whatever a stream has read so far, its next changes are gone. */
  private void lose() {
    for (int i = 0; i < 2; i++) {
      database.run(
          "INSERT INTO dbo.orders VALUES (" + rows++ + ")", "WAITFOR DELAY '00:00:00.010'");
    }
    database.awaitCapture();
    database.run(
        "DECLARE @max binary(10) = sys.fn_cdc_get_max_lsn(); EXEC"
            + " sys.sp_cdc_cleanup_change_table @capture_instance = N'dbo_orders',"
            + " @low_water_mark = @max");
  }

  private DeltaTableRef ref(String name) {
    return new DeltaTableRef(lake.resolve(name).toString());
  }

  private SnapshotEvents events() {
    return events(Clock.systemUTC());
  }

  private SnapshotEvents events(Clock clock) {
    return new SnapshotEvents(
        FactsTable.open(LakeTable.of(spark, ref("facts"))), APP_ID, ref("bronze").text(), clock);
  }

  private Map<String, String> options() {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_orders");
    options.put("pollInterval", "1ms");
    options.put("numPartitions", "1");
    return options;
  }

  private LossRecovery recovery(SnapshotMode mode, Duration interval, Clock clock) {
    return recovery(mode, interval, clock, events());
  }

  private LossRecovery recovery(
      SnapshotMode mode, Duration interval, Clock clock, SnapshotEvents events) {
    return new LossRecovery(
        Source.reach(spark, options()),
        events,
        new StreamSnapshots(
            new BronzeTable(LakeTable.of(spark, ref("bronze")), List.of("id"), List.of()),
            new TargetPlans(spark, ref("bronze"), clock),
            APP_ID,
            mode,
            clock),
        interval);
  }

  private Generation recover(SnapshotMode mode) {
    Generation live = events().generation();
    Offset read = live.start();
    return recovery(mode, Duration.ZERO, Clock.systemUTC())
        .run(live, read == null ? Offset.of(Lsn.ZERO) : read, Optional.empty());
  }

  private boolean dies(SnapshotMode mode, int operations) {
    return DiskFaults.kill(operations, lake, () -> recover(mode));
  }

  /**
   * A stream that has lost changes for the second time, again and again as it was then: it dies,
   * each time later, and is run once more.
   *
   * @return its lakes
   */
  private List<Path> deaths(SnapshotMode mode) throws IOException {
    recover(mode);
    lose();
    Path before = lake;
    List<Path> lakes = new ArrayList<>();
    boolean died = true;
    for (int operations = 0; died; operations++) {
      lake = folder.resolve(String.valueOf(operations));
      FileUtils.copyDirectory(before.toFile(), lake.toFile());
      lakes.add(lake);
      died = dies(mode, operations);
      assertThat(recover(mode).number()).as("after %d operations", operations).isEqualTo(2);
    }
    return lakes;
  }

  private List<String> sql(String query) {
    return new StreamTables(ref("bronze").text(), ref("facts").text()).sql(query);
  }

  /** Groups of rows by where they lie, in {@code lake}. */
  private List<String> sql(List<Path> lakes, String table, String query) {
    String all =
        lakes.stream()
            .map(each -> "SELECT '" + each + "' AS lake, * FROM delta.`" + each + "/" + table + "`")
            .collect(Collectors.joining(" UNION ALL ", "(", ")"));
    return sql(query.replace("$all", all));
  }

  /** An event for each loss, at an LSN and in a generation of its own. */
  private void assertOneEach(String event, List<Path> lakes) {
    assertThat(
            sql(
                lakes,
                "facts",
                "SELECT count(*), count(DISTINCT end_lsn), count(DISTINCT app_id) FROM $all WHERE"
                    + " event = '"
                    + event
                    + "' GROUP BY lake"))
        .hasSameSizeAs(lakes)
        .containsOnly("2|2|2");
  }

  @Test
  void whereverAFullOneDiesTheNextRunHasOneSnapshotAndOneEvent() throws Exception {
    List<Path> lakes = deaths(SnapshotMode.FULL);

    assertThat(lakes).hasSizeGreaterThan(8);
    assertOneEach("resnapshot", lakes);
    assertThat(
            sql(
                lakes,
                "bronze",
                "SELECT count(DISTINCT _snapshot), count(DISTINCT _snapshot, id) = count(*) FROM"
                    + " $all GROUP BY lake"))
        .hasSameSizeAs(lakes)
        .containsOnly("2|true");
  }

  @Test
  void whereverAChunkedOneDiesTheNextRunHasOneOpen() throws Exception {
    List<Path> lakes = deaths(SnapshotMode.CHUNKED);

    assertThat(lakes).hasSizeGreaterThan(3);
    assertOneEach("snapshot_open", lakes);
  }

  @Test
  void twoJobsAtOnceEndInOneGenerationWithOneStart() throws Exception {
    for (SnapshotMode mode : SnapshotMode.values()) {
      lose();
      Generation live = events().generation();
      Offset read = live.start() == null ? Offset.of(Lsn.ZERO) : live.start();
      ExecutorService jobs = Executors.newFixedThreadPool(2);
      Callable<Generation> job =
          () -> recovery(mode, Duration.ZERO, Clock.systemUTC()).run(live, read, Optional.empty());
      List<Future<Generation>> both = jobs.invokeAll(List.of(job, job));
      jobs.shutdown();

      Generation decided = events().generation();
      assertThat(decided.number()).isEqualTo(live.number() + 1);
      int gone = 0;
      for (Future<Generation> one : both) {
        try {
          assertThat(one.get()).isEqualTo(decided);
        } catch (ExecutionException e) {
          assertThat(Objects.requireNonNull(e.getCause()))
              .isInstanceOfSatisfying(
                  CdcException.class,
                  lost -> assertThat(lost.code()).isEqualTo(ErrorCode.CONFLICTING_WRITER));
          gone++;
        }
      }
      assertThat(gone).isLessThan(2);
    }
  }

  @Test
  void aFullOneThatIsOpenForALaterLossStopsABackfillBeforeItPlans() {
    Generation live = recover(SnapshotMode.CHUNKED);
    SnapshotEvents events = events();
    SnapshotOpen full =
        events.openFull(
            events.state(),
            Purpose.resnapshot(2, new LostChanges("retention", null, null)),
            Objects.requireNonNull(live.start()),
            0);

    assertThatThrownBy(
            () ->
                CdcStream.of(spark, options())
                    .backfill(ref("bronze").text())
                    .appId(APP_ID)
                    .factsTable(ref("facts").text())
                    .run())
        .isInstanceOfSatisfying(
            CdcError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SNAPSHOT_OPEN))
        .hasMessageContaining(full.description() + " is open");
    assertThat(sql("SELECT count(*) FROM $facts WHERE event = 'snapshot_plan'"))
        .containsExactly("0");
  }

  /** Time passes where an event is written, which is after the stamp and before the read. */
  private Clock losing() {
    return new Clock() {
      private boolean isLost;

      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }

      @Override
      public Instant instant() {
        if (!isLost) {
          isLost = true;
          lose();
        }
        return Instant.now();
      }
    };
  }

  @Test
  void aFullOneThatCleanupOvertakesCountsAsAnAttemptAndIsNeverUsed() {
    Offset read = Offset.of(Lsn.ZERO);
    assertThatThrownBy(
            () ->
                recovery(SnapshotMode.FULL, Duration.ofDays(7), Clock.systemUTC(), events(losing()))
                    .run(Generation.FIRST, read, Optional.empty()))
        .isInstanceOf(DataLossException.class)
        .hasMessageContainingAll("CDC cleanup went on", "No row was written", "CHUNKED");
    assertThat(events().generation()).isEqualTo(Generation.FIRST);

    assertThatThrownBy(
            () ->
                recovery(SnapshotMode.FULL, Duration.ofDays(7), Clock.systemUTC())
                    .run(Generation.FIRST, read, Optional.empty()))
        .isInstanceOf(DataLossException.class)
        .hasMessageContaining("within resnapshotInterval PT168H");
    Generation next = recover(SnapshotMode.FULL);
    assertThat(next.number()).isEqualTo(1);
    assertThat(sql("SELECT DISTINCT _snapshot FROM $bronze"))
        .containsExactly(Objects.requireNonNull(next.start()).lsn().toString());
  }

  @Test
  void anAttemptTooSoonIsRefusedAndASnapshotTakenByHandNeedsNone() {
    Generation first = recover(SnapshotMode.FULL);
    lose();
    Offset read = Objects.requireNonNull(first.start());
    assertThatThrownBy(
            () ->
                recovery(SnapshotMode.FULL, Duration.ofDays(7), Clock.systemUTC())
                    .run(first, read, Optional.empty()))
        .isInstanceOf(DataLossException.class)
        .hasMessageContainingAll(
            "its next changes are lost (retention)",
            "within resnapshotInterval PT168H",
            "resnapshotInterval(Duration.ZERO)");
    assertThatThrownBy(
            () ->
                recovery(SnapshotMode.FULL, ChronoUnit.FOREVER.getDuration(), Clock.systemUTC())
                    .run(first, read, Optional.empty()))
        .hasMessageContaining("within resnapshotInterval");
    assertThat(events().generation()).isEqualTo(first);

    Offset byHand =
        CdcStream.of(spark, options()).snapshot(ref("bronze").text()).resnapshot(true).run();
    assertThat(byHand.lsn()).isGreaterThan(read.lsn());
    assertThat(CdcStream.of(spark, options()).snapshot(ref("bronze").text()).run())
        .as("the newest is found from then on")
        .isEqualTo(byHand);
    Generation second =
        recovery(SnapshotMode.FULL, Duration.ofDays(7), Clock.systemUTC())
            .run(first, read, Optional.empty());
    assertThat(second).isEqualTo(new Generation(2, byHand, 0));
    assertThat(
            sql(
                "SELECT rows, duration_ms FROM $facts WHERE event = 'resnapshot' AND app_id ="
                    + " 'orders-v1.g2'"))
        .containsExactly("null|null");

    lose();
    Clock inAWeek = Clock.fixed(Instant.now().plus(Duration.ofDays(7)), ZoneOffset.UTC);
    assertThat(
            recovery(SnapshotMode.FULL, Duration.ofDays(7), inAWeek)
                .run(second, byHand, Optional.empty())
                .number())
        .isEqualTo(3);
  }
}
