package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.error.SchemaChangedException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.SourceEvent.InstanceSwitched;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.source.stream.DirectStream.Batch;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import java.sql.Connection;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A second capture instance of a table takes over, set up by the documented procedures. */
@SuppressWarnings("NullAway.Init")
class InstanceSwitchContractTest {
  private static TestDatabase database;
  private String table;
  private String old;
  private String newer;

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
    // keeps capture going when the other instances are disabled
    database.run("CREATE TABLE dbo.other (id int NOT NULL PRIMARY KEY)", enable("other", "other"));
    database.awaitCapture();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void createTable() {
    table = "t" + UUID.randomUUID().toString().substring(0, 8);
    old = "dbo_" + table;
    newer = table + "_v2";
    database.run(
        "CREATE TABLE dbo." + table + " (id int NOT NULL PRIMARY KEY, name nvarchar(20))",
        enable(table, old));
    database.awaitCapture();
  }

  @Test
  void theNewerTakesOverAtItsFirstLsnInOneBatchIfNeedBe() {
    insert("1, N'a'");
    secondInstance();
    insert("2, N'b'");

    List<Batch> batches = run(stream());

    assertThat(batches).hasSize(1);
    Batch crossing = batches.get(0);
    assertThat(crossing.texts("_capture_instance", "id")).containsExactly(old + "|1", newer + "|2");
    assertThat(crossing.events())
        .singleElement()
        .isInstanceOfSatisfying(
            InstanceSwitched.class,
            event -> {
              assertThat(event.lsn()).isEqualTo(firstLsn(newer));
              assertThat(event.commitTs()).isNotNull().isAfterOrEqualTo(time(crossing.start()));
              assertThat(event.from()).isEqualTo(old);
              assertThat(event.to()).isEqualTo(newer);
              assertThat(event.notCaptured()).isEmpty();
            });
    Batch replay = again(crossing);
    assertThat(replay.rows()).isEqualTo(crossing.rows());
    assertThat(replay.events()).isEqualTo(crossing.events());
  }

  @Test
  void aBatchThatBeginsAtTheSwitchReadsTheNewerOnlyAndTellsOfNoSwitch() {
    insert("1, N'a'");
    secondInstance();
    Offset position = Offset.of(firstLsn(newer));
    insert("2, N'b'");
    cleanUp(old, lsn("SELECT MAX(start_lsn) FROM cdc.lsn_time_mapping"));

    List<Batch> batches = stream().run(position);

    assertThat(batches).as("the older one's purge is no concern").hasSize(1);
    assertThat(batches.get(0).texts("_capture_instance", "id")).containsExactly(newer + "|2");
    assertThat(batches.get(0).events()).isEmpty();
  }

  @Test
  void aRunThatMeetsANewerInstanceOfTheSameColumnsGoesOn() {
    insert("1, N'a'");
    DirectStream stream = stream();
    Offset position = last(run(stream));
    insert("2, N'b'");
    secondInstance();
    insert("3, N'c'");

    List<Batch> batches = stream.run(position);

    assertThat(batches)
        .flatExtracting(batch -> batch.texts("_capture_instance", "id"))
        .containsExactly(old + "|2", newer + "|3");
    assertThat(batches).flatExtracting(Batch::events).hasSize(1);
  }

  @Test
  void aRunThatMeetsANewColumnStopsAndTheNextReadsItFromTheSwitchOn() {
    insert("1, N'a'");
    DirectStream stream = stream();
    Offset position = last(run(stream));
    database.run("ALTER TABLE dbo." + table + " ADD total int");
    insert("2, N'b', 20");
    secondInstance();
    insert("3, N'c', 30");
    insert("4, N'd', NULL");

    assertThatThrownBy(() -> stream.run(position))
        .isInstanceOf(SchemaChangedException.class)
        .hasMessageContaining("dbo." + table)
        .hasMessageContaining("total")
        .hasMessageContaining("Restart the query for a new schema");
    assertThat(stream().run(position))
        .flatExtracting(
            batch -> batch.texts("_capture_instance", "id", "total", "_unknown_columns"))
        .containsExactly(old + "|2|null|[total]", newer + "|3|30|null", newer + "|4|null|null");
  }

  @Test
  void declaredColumnsGoOnInPlaceWithAWarning() {
    insert("1, N'a'");
    DirectStream stream = stream("columns", "id INT, name STRING");
    Offset position = last(run(stream));
    database.run("ALTER TABLE dbo." + table + " ADD total int");
    secondInstance();
    insert("2, N'b', 20");

    try (CapturedLog log = CapturedLog.of(SchemaWatch.class)) {
      assertThat(stream.run(position))
          .flatExtracting(batch -> batch.texts("_capture_instance", "id"))
          .containsExactly(newer + "|2");
      assertThat(log.warnings())
          .anyMatch(warning -> warning.contains("doesn't list (total) are not read"));
    }
    assertThat(stream.ledger.takeWarnings()).anyMatch(warning -> warning.contains("(total)"));
  }

  @Test
  void columnsThatTheNewerLacksReadNullAndAreUnknown() {
    insert("1, N'a'");
    database.run(
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @capture_instance = N'"
            + newer
            + "', @role_name = NULL, @captured_column_list = N'id'");
    database.awaitCapture();
    insert("2, N'b'");

    List<Batch> batches = run(stream());

    assertThat(batches)
        .flatExtracting(batch -> batch.texts("_capture_instance", "id", "name", "_unknown_columns"))
        .containsExactly(old + "|1|a|null", newer + "|2|null|[name]");
    assertThat(batches)
        .flatExtracting(Batch::events)
        .singleElement()
        .isInstanceOfSatisfying(
            InstanceSwitched.class,
            event -> assertThat(event.notCaptured()).containsExactly("name"));
  }

  @Test
  void aColumnAddedAgainUnderItsNameIsAnotherColumn() {
    insert("1, N'a'");
    database.run(
        "ALTER TABLE dbo." + table + " DROP COLUMN name",
        "ALTER TABLE dbo." + table + " ADD name int");
    secondInstance();
    insert("2, 20");

    assertThat(run(stream()))
        .flatExtracting(batch -> batch.texts("_capture_instance", "id", "name", "_unknown_columns"))
        .containsExactly(old + "|1|null|[name]", newer + "|2|20|null");
  }

  @Test
  void aDisabledInstanceIsFollowedByItsDefaultNameOnly() {
    insert("1, N'a'");
    secondInstance();
    Offset position = last(run(stream()));
    insert("2, N'b'");
    disable(old);

    assertThat(stream().run(position))
        .flatExtracting(batch -> batch.texts("_capture_instance", "id"))
        .containsExactly(newer + "|2");
    secondInstance(table + "_v3");
    disable(newer);
    assertThatThrownBy(() -> stream("captureInstance", newer))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'" + newer + "'")
        .hasMessageContaining("Set option 'captureInstance' to one of " + table + "_v3");
  }

  @Test
  void aRunGoesOnWhenTheOlderIsDisabledBehindIt() {
    insert("1, N'a'");
    secondInstance();
    DirectStream stream = stream();
    Offset position = last(run(stream));
    disable(old);
    insert("2, N'b'");

    assertThat(stream.run(position)).flatExtracting(Batch::ids).containsExactly(2);
  }

  @Test
  void anInstanceDisabledBeforeItWasReadIsALoss() {
    insert("1, N'a'");
    DirectStream running = stream();
    Offset position = last(run(running));
    insert("2, N'b'");
    secondInstance();
    insert("3, N'c'");
    disable(old);

    assertThatThrownBy(() -> running.run(position))
        .as("in the run that read it")
        .isInstanceOf(DataLossException.class)
        .hasMessageContaining("capture instance '" + old + "' was disabled")
        .hasMessageContaining("A new snapshot is required");
    assertThatThrownBy(() -> stream().run(position))
        .as("in a new run")
        .isInstanceOf(DataLossException.class)
        .hasMessageContaining("older capture instance")
        .hasMessageContaining("disabled");
    List<Batch> skipping = stream("failOnDataLoss", "false").run(position);
    assertThat(skipping).flatExtracting(Batch::ids).containsExactly(3);
    assertThat(skipping).flatExtracting(Batch::skips).hasSize(1);
  }

  @Test
  void aNewStreamBeginsWithTheOldestInstance() {
    insert("1, N'a'");
    secondInstance();
    insert("2, N'b'");

    assertThat(run(stream("captureInstance", newer)))
        .flatExtracting(batch -> batch.texts("_capture_instance", "id"))
        .containsExactly(old + "|1", newer + "|2");
  }

  @Test
  void aTransactionThatIsOpenDuringTheEnableIsWholeInOneInstance() throws Exception {
    try (Connection writer = database.connect();
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      statement.execute("INSERT INTO dbo." + table + " VALUES (1, N'a')");
      Thread enabling = new Thread(() -> database.run(enable(table, newer)));
      enabling.start();
      statement.execute("INSERT INTO dbo." + table + " VALUES (2, N'b')");
      writer.commit();
      enabling.join();
    }
    insert("3, N'c'");

    List<String> rows =
        run(stream()).stream().flatMap(b -> b.texts("_capture_instance", "id").stream()).toList();
    assertThat(rows)
        .isIn(
            List.of(old + "|1", old + "|2", newer + "|3"),
            List.of(newer + "|1", newer + "|2", newer + "|3"));
  }

  private static List<Batch> run(DirectStream stream) {
    return stream.run(stream.begin());
  }

  /** The batch planned and read once more in a new run. */
  private Batch again(Batch batch) {
    DirectStream stream = stream();
    List<Map<String, String>> rows =
        stream.rows(stream.planner.plan(batch.start(), batch.end(), null));
    var planned = java.util.Objects.requireNonNull(stream.ledger.current());
    return new Batch(
        batch.start(), batch.end(), List.of(), planned.skips(), planned.events(), rows);
  }

  private static java.time.LocalDateTime time(Offset offset) {
    return offset.commitTs() == null ? java.time.LocalDateTime.MIN : offset.commitTs();
  }

  private DirectStream stream(String... more) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", old);
    return new DirectStream(options, more);
  }

  private static Offset last(List<Batch> batches) {
    return batches.get(batches.size() - 1).end();
  }

  private void insert(String values) {
    database.run(
        "INSERT INTO dbo." + table + " VALUES (" + values + ")", "WAITFOR DELAY '00:00:00.010'");
    database.awaitCapture();
  }

  private void secondInstance() {
    secondInstance(newer);
  }

  private void secondInstance(String name) {
    database.run(enable(table, name));
    database.awaitCapture();
  }

  private static String enable(String table, String instance) {
    return "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
        + table
        + "', @capture_instance = N'"
        + instance
        + "', @role_name = NULL";
  }

  private void disable(String instance) {
    database.run(
        "EXEC sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @capture_instance = N'"
            + instance
            + "'");
  }

  private static void cleanUp(String instance, Lsn mark) {
    database.run(
        "EXEC sys.sp_cdc_cleanup_change_table @capture_instance = N'"
            + instance
            + "', @low_water_mark = "
            + mark);
  }

  private static Lsn firstLsn(String instance) {
    return lsn("SELECT sys.fn_cdc_get_min_lsn(N'" + instance + "')");
  }

  private static Lsn lsn(String query) {
    return Lsn.of((byte[]) database.query(query).get(0).get(0));
  }
}
