package io.github.mssqlcdc.testkit.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What differs between the versions that the stand-in presents itself as. */
class VersionTest {
  private static final String PROPERTIES =
      "SELECT SERVERPROPERTY('ProductMajorVersion'), SERVERPROPERTY('EngineEdition'),"
          + " compatibility_level FROM sys.databases WHERE name = 'master'";

  @Test
  void sqlServer2016LacksWhatCameLater() {
    on(
        StandIn.builder().majorVersion(13),
        database -> {
          assertThat(database.query(PROPERTIES)).containsExactly(List.of("13", 3, (short) 130));
          assertThat(refusal(database, "SELECT TRIM(N' a ') AS t")).isEqualTo(195);
          assertThat(refusal(database, "SELECT CURRENT_TIMEZONE_ID() AS z")).isEqualTo(195);
          assertThat(refusal(database, "SELECT value FROM GENERATE_SERIES(1, 2)")).isEqualTo(208);
        });
  }

  @Test
  void sqlServer2017TrimsAnd2022NamesItsZone() {
    on(
        StandIn.builder().majorVersion(14),
        database -> {
          assertThat(database.query("SELECT TRIM(N' a ') AS t")).containsExactly(List.of("a"));
          assertThat(refusal(database, "SELECT CURRENT_TIMEZONE_ID() AS z")).isEqualTo(195);
        });
    on(
        StandIn.builder(),
        database -> {
          assertThat(database.query(PROPERTIES)).containsExactly(List.of("16", 3, (short) 160));
          assertThat(database.query("SELECT CURRENT_TIMEZONE_ID() AS z"))
              .containsExactly(List.of("UTC"));
        });
  }

  @Test
  void azureHasWhatIsNewestButNoAgentAndNoOtherDatabase() {
    on(
        StandIn.builder().azure(),
        database -> {
          assertThat(database.query(PROPERTIES)).containsExactly(List.of("12", 5, (short) 170));
          assertThat(database.query("SELECT CURRENT_TIMEZONE_ID() AS z")).hasSize(1);
          assertThat(database.query("SELECT name FROM sys.databases WHERE name = 'msdb'"))
              .isEmpty();
          assertThat(refusal(database, "USE master")).isEqualTo(40508);
          assertThat(
                  database.query(
                      "SELECT is_read_committed_snapshot_on FROM sys.databases WHERE name = DB_NAME()"))
              .containsExactly(List.of(true));
        });
  }

  @Test
  void azureShowsItsWaitsToWhoMaySeeTheDatabasesState() {
    on(
        StandIn.builder().azure(),
        database -> {
          database.run(
              "CREATE LOGIN reader WITH PASSWORD = 'Leser-geheim-1'",
              "CREATE USER reader FOR LOGIN reader");
          String waits = "SELECT wait_time_ms FROM sys.dm_exec_session_wait_stats";
          assertThatThrownBy(() -> runAs(database, "reader", waits))
              .isInstanceOf(SQLException.class)
              .hasMessageStartingWith("VIEW DATABASE STATE permission denied in database");
          assertThat(database.query(waits)).isEmpty();
        });
  }

  private static void runAs(StandInDatabase database, String login, String sql)
      throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(database.url(), login, "Leser-geheim-1")) {
      connection.createStatement().executeQuery(sql);
    }
  }

  private static int refusal(StandInDatabase database, String sql) {
    try (Connection connection = database.connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode();
    }
  }

  private static void on(StandIn.Builder version, Consumer<StandInDatabase> test) {
    try (StandIn server = version.start();
        StandInDatabase database = StandInDatabase.create(server)) {
      test.accept(database);
    }
  }
}
