package io.github.mssqlcdc.testkit.contract;

import static io.github.mssqlcdc.testkit.contract.Fact.Known.DOCUMENTED;
import static io.github.mssqlcdc.testkit.contract.Fact.Known.INFERRED;
import static io.github.mssqlcdc.testkit.contract.Fact.Known.MEASURED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;

/** What a login without rights may see, and one with few. */
final class RightsFactsContractTest extends FactSuite {
  private static final String KEY = "id int NOT NULL PRIMARY KEY, n int NULL, m int NULL";
  private static final String PERMISSION =
      "SELECT HAS_PERMS_BY_NAME(N'dbo.%s', N'OBJECT', N'SELECT')";

  private DatabaseClient reader = new DatabaseClient("", "", "");

  @BeforeAll
  void prepare() {
    TestLogin login = database.createLogin("reader");
    reader = new DatabaseClient(database.url(), login.name(), login.password());
    track("granted", KEY);
    track("hidden", KEY);
    track("columns_only", KEY);
    track("column_denied", KEY);
    commit(
        "INSERT INTO dbo.granted VALUES (1, 1, 1)",
        "GRANT SELECT ON dbo.granted TO reader",
        "GRANT SELECT ON dbo.columns_only (id) TO reader",
        "GRANT SELECT ON dbo.column_denied TO reader",
        "DENY SELECT ON dbo.column_denied (n) TO reader");
  }

  @Fact(
      id = "RIGHT-1",
      value = "the LSN map is read by a login without a right on it",
      known = MEASURED)
  void lsnMap() {
    assertThat(reader.query("SELECT MAX(start_lsn) FROM cdc.lsn_time_mapping")).hasSize(1);
  }

  @Fact(
      id = "RIGHT-2",
      value = "max LSN, its time and its neighbours are told to everybody",
      known = DOCUMENTED)
  void publicFunctions() {
    assertThat(
            reader.query(
                "SELECT sys.fn_cdc_map_lsn_to_time(sys.fn_cdc_get_max_lsn()),"
                    + " sys.fn_cdc_increment_lsn(sys.fn_cdc_get_max_lsn())"))
        .allSatisfy(row -> assertThat(row).doesNotContainNull());
  }

  @Fact(
      id = "RIGHT-3",
      value = "min LSN is zero for who may not read the instance",
      known = DOCUMENTED)
  void minLsn() {
    assertThat((byte[]) ask("SELECT sys.fn_cdc_get_min_lsn(N'dbo_hidden')"))
        .isEqualTo(new byte[10]);
    assertThat((byte[]) ask("SELECT sys.fn_cdc_get_min_lsn(N'dbo_granted')"))
        .isNotEqualTo(new byte[10]);
  }

  @Fact(
      id = "RIGHT-4",
      value = "a change table needs a right of its own: 229, state 5",
      known = MEASURED)
  void changeTable() {
    assertRefused(() -> run("SELECT id FROM cdc.dbo_granted_CT"), 229, 5);
  }

  @Fact(
      id = "RIGHT-5",
      value = "the change function is refused with 229 to who may not read the instance",
      known = DOCUMENTED)
  void changeFunction() {
    assertRefused(
        () ->
            run(
                "DECLARE @max binary(10) = sys.fn_cdc_get_max_lsn(); SELECT id FROM"
                    + " cdc.fn_cdc_get_all_changes_dbo_hidden(@max, @max, N'all')"),
        229,
        5);
  }

  @Fact(
      id = "RIGHT-6",
      value = "help_change_data_capture leaves out what the caller may not read",
      known = DOCUMENTED)
  void help() {
    assertThat(reader.query("EXEC sys.sp_cdc_help_change_data_capture"))
        .extracting(row -> row.get(2))
        .containsExactly("dbo_granted");
  }

  @Fact(
      id = "RIGHT-7",
      value = "help_change_data_capture of a table that the caller may not read gives no rows",
      known = INFERRED)
  void helpOfATable() {
    assertThat(
            reader.query(
                "EXEC sys.sp_cdc_help_change_data_capture @source_schema = N'dbo', @source_name ="
                    + " N'hidden'"))
        .isEmpty();
  }

  @Fact(
      id = "RIGHT-8",
      value = "get_captured_columns refuses with 22981 what the caller may not read",
      known = DOCUMENTED)
  void capturedColumns() {
    assertRefused(() -> run("EXEC sys.sp_cdc_get_captured_columns N'dbo_hidden'"), 22981, 1);
  }

  @Fact(
      id = "RIGHT-9",
      value = "get_ddl_history refuses with 22981 what the caller may not read",
      known = INFERRED)
  void ddlHistory() {
    assertRefused(() -> run("EXEC sys.sp_cdc_get_ddl_history N'dbo_hidden'"), 22981, 1);
  }

  @Fact(
      id = "RIGHT-10",
      value = "HAS_PERMS_BY_NAME is 0 for a table that the caller may not see, NULL for none",
      known = INFERRED)
  void permissionOnWhatIsHidden() {
    assertThat(ask(PERMISSION.formatted("hidden"))).isEqualTo(0);
    assertThat(ask(PERMISSION.formatted("nothing"))).isNull();
    assertThat(ask(PERMISSION.formatted("granted"))).isEqualTo(1);
  }

  @Fact(
      id = "RIGHT-11",
      value =
          "HAS_PERMS_BY_NAME is 1 for a table that is granted though a column is denied, 0 with"
              + " that column",
      known = INFERRED)
  void permissionOnAColumn() {
    assertThat(ask(PERMISSION.formatted("column_denied"))).isEqualTo(1);
    assertThat(
            ask(
                "SELECT HAS_PERMS_BY_NAME(N'dbo.column_denied', N'OBJECT', N'SELECT', N'n',"
                    + " N'COLUMN')"))
        .isEqualTo(0);
  }

  @Fact(
      id = "RIGHT-12",
      value = "sp_spaceused needs no more than a right on a column",
      known = INFERRED)
  void spaceUsed() {
    assertThat(reader.query("EXEC sp_spaceused N'dbo.columns_only'")).hasSize(1);
  }

  @Fact(
      id = "RIGHT-13",
      value = "an alias type is in sys.types for its owner only",
      known = INFERRED)
  void aliasTypes() {
    database.run("CREATE TYPE dbo.short_name FROM nvarchar(20)");
    String find = "SELECT name FROM sys.types WHERE name = N'short_name'";

    assertThat(database.query(find)).hasSize(1);
    assertThat(reader.query(find)).isEmpty();
  }

  @Fact(
      id = "RIGHT-14",
      value = "a table on which the caller has a right on a column is in sys.tables, no other is",
      known = DOCUMENTED)
  void visibleTables() {
    assertThat(reader.query("SELECT name FROM sys.tables WHERE schema_id = SCHEMA_ID(N'dbo')"))
        .extracting(row -> row.get(0))
        .containsExactlyInAnyOrder("granted", "columns_only", "column_denied");
  }

  @Fact(id = "RIGHT-15", value = "a session may read its own waits", known = DOCUMENTED)
  void ownWaits() {
    run("SELECT wait_time_ms FROM sys.dm_exec_session_wait_stats WHERE session_id = @@SPID");
  }

  private Object ask(String sql) {
    return reader.query(sql).get(0).get(0);
  }

  private void run(String sql) {
    reader.query(sql);
  }

  private static void assertRefused(ThrowingCallable call, int number, int state) {
    assertThatThrownBy(call)
        .cause()
        .isInstanceOfSatisfying(
            SQLException.class,
            e ->
                assertThat(e.getErrorCode() + ", " + e.getSQLState())
                    .isEqualTo(number + ", S%04d".formatted(state)));
  }
}
