package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.facts.FactsColumn;
import io.github.mssqlcdc.facts.FactsEvent;
import io.github.mssqlcdc.facts.FactsRow;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.delta.StreamTables;
import io.github.mssqlcdc.testkit.spark.DiskFaults;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From one column gap to the next, without a query: crashes, and snapshots that are there. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class SwitchSnapshotTest {
  private static final String APP_ID = "orders-v1";

  @TempDir private Path folder;
  private final SparkSession spark = TestSession.get();
  private TestDatabase database;
  private long batches;
  private int rows;

  @BeforeEach
  void open() {
    database = TestDatabases.create();
    database.run(
        "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = NULL");
    commit();
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void commit() {
    database.run("INSERT INTO dbo.orders VALUES (" + rows++ + ")");
    database.awaitCapture();
  }

  /** A batch tells of a column that begins at the newest commit. */
  private void gap() {
    commit();
    byte[] max = (byte[]) database.query("SELECT sys.fn_cdc_get_max_lsn()").get(0).get(0);
    String lsn = "0x" + HexFormat.of().withUpperCase().formatHex(max);
    FactsRow row =
        FactsRow.EMPTY
            .with(FactsColumn.APP_ID, APP_ID)
            .with(FactsColumn.BATCH_ID, batches)
            .with(FactsColumn.EVENT, FactsEvent.COLUMN_GAP.text())
            .with(FactsColumn.END_LSN, lsn)
            .with(FactsColumn.TARGET, ref("bronze").text())
            .with(FactsColumn.DETAIL, "{}");
    assertThat(facts().appendBatch(APP_ID, batches++, List.of(row))).isTrue();
  }

  private DeltaTableRef ref(String name) {
    return new DeltaTableRef(folder.resolve(name).toString());
  }

  private FactsTable facts() {
    return FactsTable.open(LakeTable.of(spark, ref("facts")));
  }

  private CdcStream stream() {
    return CdcStream.of(spark, options());
  }

  private Map<String, String> options() {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_orders");
    options.put("pollInterval", "1ms");
    options.put("numPartitions", "1");
    return options;
  }

  private void run(SnapshotMode mode) {
    new SwitchSnapshot(
            () -> Source.reach(spark, options()),
            new SnapshotEvents(facts(), APP_ID, ref("bronze").text(), Clock.systemUTC()),
            new StreamSnapshots(
                new BronzeTable(LakeTable.of(spark, ref("bronze")), List.of("id"), List.of()),
                new TargetPlans(spark, ref("bronze"), Clock.systemUTC()),
                APP_ID,
                mode,
                Clock.systemUTC()))
        .run();
  }

  private boolean dies(SnapshotMode mode, int operations) {
    return DiskFaults.kill(operations, folder, () -> run(mode));
  }

  /** Each death is followed by a run that lives, and the next gap. */
  private int gaps(SnapshotMode mode) {
    int gaps = 0;
    boolean died = true;
    for (int operations = 0; died; operations += 3) {
      gap();
      gaps++;
      died = dies(mode, operations);
      run(mode);
      run(mode);
    }
    return gaps;
  }

  private List<String> sql(String query) {
    return new StreamTables(ref("bronze").text(), ref("facts").text()).sql(query);
  }

  @Test
  void whereverAFullOneDiesTheNextRunHasOneSnapshotAndOneEvent() {
    int gaps = gaps(SnapshotMode.FULL);

    assertThat(gaps).isGreaterThan(1);
    assertThat(
            sql(
                "SELECT count(*), count(DISTINCT end_lsn), count(DISTINCT get_json_object(detail,"
                    + " '$.open')), min(app_id) FROM $facts WHERE event = 'switch_snapshot'"))
        .containsExactly(gaps + "|" + gaps + "|" + gaps + "|" + APP_ID);
    assertThat(
            sql(
                "SELECT count(DISTINCT _snapshot), max(c) FROM (SELECT _snapshot, id, count(*) AS c"
                    + " FROM $bronze GROUP BY ALL)"))
        .containsExactly(gaps + "|1");
  }

  @Test
  void whereverAChunkedOneDiesTheNextRunHasOneOpen() {
    int gaps = gaps(SnapshotMode.CHUNKED);

    assertThat(gaps).isGreaterThan(1);
    assertThat(
            sql(
                "SELECT count(*), count(DISTINCT end_lsn), min(get_json_object(detail, '$.kind'))"
                    + " FROM $facts WHERE event = 'snapshot_open'"))
        .containsExactly(gaps + "|" + gaps + "|switch");
  }

  @Test
  void aSnapshotTakenByHandSinceTheSwitchIsEnoughAndOneGivenUpIsOpenedAgain() {
    gap();
    stream().snapshot(ref("bronze").text()).resnapshot(true).run();
    run(SnapshotMode.CHUNKED);
    assertThat(events()).containsExactly("snapshot_open|full", "switch_snapshot|null");

    gap();
    run(SnapshotMode.CHUNKED);
    assertThatThrownBy(
            () ->
                stream()
                    .snapshot(ref("bronze").text())
                    .appId(APP_ID)
                    .factsTable(ref("facts").text())
                    .resnapshot(true)
                    .run())
        .isInstanceOfSatisfying(
            CdcError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SNAPSHOT_OPEN));
    stream()
        .abandonSnapshot(ref("bronze").text())
        .appId(APP_ID)
        .factsTable(ref("facts").text())
        .run();
    run(SnapshotMode.FULL);
    assertThat(events().subList(2, 6))
        .containsExactly(
            "snapshot_open|chunked",
            "snapshot_abandoned|null",
            "snapshot_open|full",
            "switch_snapshot|null");
  }

  private List<String> events() {
    return sql(
            "SELECT event, get_json_object(detail, '$.mode') FROM $facts WHERE event LIKE"
                + " '%snapshot%' ORDER BY written_at")
        .stream()
        .map(event -> event.toLowerCase(Locale.ROOT))
        .toList();
  }
}
