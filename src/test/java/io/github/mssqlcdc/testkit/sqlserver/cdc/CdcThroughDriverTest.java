package io.github.mssqlcdc.testkit.sqlserver.cdc;

import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** CDC as the Microsoft driver sees it, set up by T-SQL. */
class CdcThroughDriverTest {
  private static final String ENABLE =
      "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
          + " @role_name = NULL";
  private static final String IN_ORDER =
      " FROM cdc.dbo_orders_CT ORDER BY __$start_lsn, __$command_id, __$seqval, __$operation";
  private static StandIn standIn;
  private TestDatabase database;

  @BeforeAll
  static void start() {
    standIn = StandIn.builder().manualCapture().start();
  }

  @AfterAll
  static void stop() {
    standIn.close();
  }

  @BeforeEach
  void trackedTable() {
    database = StandInDatabase.create(standIn);
    database.run(
        "CREATE TABLE dbo.orders (id int NOT NULL CONSTRAINT PK_orders PRIMARY KEY,"
            + " name nvarchar(50) NULL, note nvarchar(max) NULL, amount decimal(10, 2) NULL)",
        ENABLE);
    database.awaitCapture();
  }

  @AfterEach
  void drop() {
    database.close();
  }

  private List<List<Object>> changes(String columns) {
    database.awaitCapture();
    return database.query("SELECT " + columns + IN_ORDER);
  }

  @Test
  void statementsOfATransactionArriveInOrderUnderOneLsn() {
    database.run(
        "BEGIN TRAN; INSERT INTO dbo.orders (id, name) VALUES (1, N'a'), (2, N'b');"
            + " UPDATE dbo.orders SET name = N'c' WHERE id = 1;"
            + " DELETE FROM dbo.orders WHERE id = 2; COMMIT");
    assertThat(changes("__$command_id, __$operation, id, name"))
        .containsExactly(
            asList(1, 2, 1, "a"),
            asList(2, 2, 2, "b"),
            asList(3, 3, 1, "a"),
            asList(3, 4, 1, "c"),
            asList(4, 1, 2, "b"));
    assertThat(database.query("SELECT COUNT(DISTINCT __$start_lsn) FROM cdc.dbo_orders_CT"))
        .containsExactly(List.of(1));
  }

  @Test
  void aLargeValueIsRefusedUntilTheServerIsToldToReplicateIt() {
    String large =
        "INSERT INTO dbo.orders (id, note) VALUES (1, REPLICATE(CAST(N'x' AS nvarchar(max)), %d))";
    database.run(large.formatted(32_768), "UPDATE dbo.orders SET name = N'a' WHERE id = 1");
    database.run("DELETE FROM dbo.orders");

    assertThatThrownBy(() -> database.run(large.formatted(32_769)))
        .hasRootCauseInstanceOf(SQLException.class)
        .rootCause()
        .hasMessageStartingWith(
            "Length of LOB data (65538) to be replicated exceeds configured maximum 65536.");
    assertThat(database.query("SELECT id FROM dbo.orders")).isEmpty();
    database.run("EXEC sp_configure 'max text repl size', -1");
    assertThatThrownBy(() -> database.run(large.formatted(32_769)));
    try {
      database.run("RECONFIGURE", large.formatted(1_000_000));
    } finally {
      database.run("EXEC sp_configure 'max text repl size', 65536", "RECONFIGURE");
    }

    assertThat(changes("id, CAST(LEN(note) AS int)")).last().isEqualTo(asList(1, 1_000_000));
  }

  @Test
  void rolledBackWorkIsNeverCaptured() {
    database.run(
        "BEGIN TRAN; INSERT INTO dbo.orders (id) VALUES (1); ROLLBACK",
        "INSERT INTO dbo.orders (id) VALUES (2)");
    assertThat(changes("id")).containsExactly(List.of(2));
  }

  @Test
  void keyUpdateOfManyRowsDeletesBeforeItInserts() {
    database.run(
        "INSERT INTO dbo.orders (id) VALUES (1), (2)", "UPDATE dbo.orders SET id = id + 10");
    assertThat(changes("__$operation, id").subList(2, 6))
        .containsExactly(asList(1, 1), asList(1, 2), asList(2, 11), asList(2, 12));
  }

  @Test
  void untouchedMaxColumnIsNullInTheBeforeImage() {
    database.run(
        "INSERT INTO dbo.orders (id, note, amount) VALUES (1, N'long', 1.50)",
        "UPDATE dbo.orders SET amount = 2.50 WHERE id = 1");
    assertThat(changes("__$operation, note").subList(1, 3))
        .containsExactly(asList(3, null), asList(4, "long"));
  }

  @Test
  void minLsnIsZeroForTheUnknownAndForAnInstanceThatCaptureHasNotSeen() {
    database.run(ENABLE + ", @capture_instance = N'orders2'");
    String min = "SELECT sys.fn_cdc_get_min_lsn(N'orders2'), sys.fn_cdc_get_min_lsn(N'nix')";
    assertThat(database.query(min).get(0)).containsExactly(new byte[10], new byte[10]);
    database.awaitCapture();
    assertThat((byte[]) database.query(min).get(0).get(0))
        .isEqualTo(database.query("SELECT sys.fn_cdc_get_max_lsn()").get(0).get(0));
  }

  @Test
  void droppedColumnIsNullAndTheDdlIsInTheHistory() {
    database.run(
        "INSERT INTO dbo.orders (id, name) VALUES (1, N'a')",
        "ALTER TABLE dbo.orders DROP COLUMN name",
        "INSERT INTO dbo.orders (id, amount) VALUES (2, 3.00)");
    assertThat(changes("id, name")).containsExactly(asList(1, "a"), asList(2, null));
    assertThat(database.query("EXEC sys.sp_cdc_get_ddl_history @capture_instance = N'dbo_orders'"))
        .singleElement()
        .satisfies(row -> assertThat((String) row.get(4)).contains("DROP COLUMN name"));
  }

  @Test
  void helpAndColumnsAnswerOverTheWire() {
    List<Object> help =
        database
            .query(
                "EXEC sys.sp_cdc_help_change_data_capture @source_schema = N'dbo',"
                    + " @source_name = N'orders'")
            .get(0);
    assertThat(help.subList(0, 3)).containsExactly("dbo", "orders", "dbo_orders");
    assertThat(help.get(14)).isEqualTo("[id], [name], [note], [amount]");
    assertThat(
            database.query(
                "EXEC sys.sp_cdc_get_captured_columns @capture_instance = N'dbo_orders'"))
        .extracting(row -> row.get(6))
        .containsExactly("int", "nvarchar", "nvarchar", "decimal");
  }

  @Test
  void errorsCarryNumberSeverityAndText() {
    SQLException error =
        catchThrowableOfType(
            SQLException.class,
            () -> {
              try (Connection connection = database.connect();
                  CallableStatement call =
                      connection.prepareCall("EXEC sys.sp_cdc_get_captured_columns N'nix'");
                  ResultSet rows = call.executeQuery()) {
                rows.next();
              }
            });
    assertThat(error.getErrorCode()).isEqualTo(22981);
    assertThat(error.getMessage()).startsWith("Object does not exist or access is denied.");
  }

  @Test
  void cleanupByTSqlMovesTheMarkAndDeletes() {
    database.run("INSERT INTO dbo.orders (id) VALUES (1)");
    database.awaitCapture();
    database.run("WAITFOR DELAY '00:00:00.050'; INSERT INTO dbo.orders (id) VALUES (2)");
    database.awaitCapture();
    database.run(
        "DECLARE @mark binary(10) = sys.fn_cdc_get_max_lsn();"
            + " EXEC sys.sp_cdc_cleanup_change_table @capture_instance = N'dbo_orders',"
            + " @low_water_mark = @mark");
    assertThat(changes("id")).containsExactly(List.of(2));
  }

  @Test
  void aWaitOfAFractionOfASecondPartsCommitsInTime() {
    for (int id = 0; id < 10; id++) {
      database.run("INSERT INTO dbo.orders (id) VALUES (" + id + "); WAITFOR DELAY '00:00:00.010'");
    }
    database.awaitCapture();
    assertThat(
            database.query(
                "SELECT COUNT(DISTINCT m.tran_end_time) FROM cdc.lsn_time_mapping AS m"
                    + " JOIN cdc.dbo_orders_CT AS c ON c.__$start_lsn = m.start_lsn"))
        .containsExactly(List.of(10));
  }

  @Test
  void droppingTheTableRemovesItsInstance() {
    database.run("DROP TABLE dbo.orders");
    assertThat(database.query("EXEC sys.sp_cdc_help_change_data_capture")).isEmpty();
  }
}
