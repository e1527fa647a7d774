package io.github.mssqlcdc.testkit.sqlserver.cdc;

import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.ORDERS;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.column;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.inserted;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.key;
import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.UniqueIndex;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ProceduresTest {
  private static final String HELP = "sp_cdc_help_change_data_capture";
  private static final String COLUMNS = "sp_cdc_get_captured_columns";
  private final CdcFixture fixture = new CdcFixture();

  private static void assertError(ThrowingCallable call, int number, String text) {
    SqlServerError error = catchThrowableOfType(SqlServerError.class, call);
    assertThat(error).isNotNull();
    assertThat(List.of(error.number(), error.severity(), error.state()))
        .containsExactly(number, 16, 1);
    assertThat(error).hasMessageContaining(text);
  }

  private void enable(Object... namesAndValues) throws SqlServerError {
    fixture.enableAs(fixture.admin(), "orders", namesAndValues);
  }

  @Test
  void helpAnswersTheDocumentedColumnsForEveryInstance() throws SqlServerError {
    fixture.enableUnseen("orders", "@role_name", "readers");
    RecordedResult help = fixture.exec(HELP);
    assertThat(help.columnNames())
        .containsExactly(
            "source_schema",
            "source_table",
            "capture_instance",
            "object_id",
            "source_object_id",
            "start_lsn",
            "end_lsn",
            "supports_net_changes",
            "has_drop_pending",
            "role_name",
            "index_name",
            "filegroup_name",
            "create_date",
            "index_column_list",
            "captured_column_list");
    assertThat(help.count).isEqualTo(1);
    assertThat(help.value(0, "capture_instance")).isEqualTo("dbo_orders");
    assertThat(help.value(0, "source_object_id")).isEqualTo(ORDERS);
    assertThat(help.value(0, "supports_net_changes")).isEqualTo(true);
    assertThat(help.value(0, "role_name")).isEqualTo("readers");
    assertThat(help.value(0, "index_name")).isEqualTo("PK_orders");
    assertThat(help.value(0, "index_column_list")).isEqualTo("[id]");
    assertThat(help.value(0, "captured_column_list")).isEqualTo("[id], [name]");
    assertThat(help.value(0, "end_lsn")).isNull();
    assertThat(fixture.store.roles).containsExactly("readers");
  }

  @Test
  void startLsnIsNullAndMinLsnZeroUntilCaptureHasSeenTheCreation() throws SqlServerError {
    fixture.enableUnseen("orders");
    assertThat(fixture.exec(HELP).value(0, "start_lsn")).isNull();
    assertThat(fixture.cdc.functions().minLsn(fixture.admin(), "dbo_orders"))
        .isEqualTo(new byte[10]);
    fixture.cdc.capture();
    assertThat(fixture.exec(HELP).value(0, "start_lsn"))
        .isEqualTo(fixture.cdc.functions().minLsn(fixture.admin(), "dbo_orders"))
        .isEqualTo(fixture.cdc.functions().maxLsn());
  }

  @Test
  void helpOfOneTableNeedsBothNamesAKnownTableAndATrackedOne() throws SqlServerError {
    String schema = "@source_schema";
    String name = "@source_name";
    assertError(() -> fixture.exec(HELP, schema, "dbo"), 22972, "must also be non-null");
    assertError(() -> fixture.exec(HELP, name, "orders"), 22972, "must also be non-null");
    assertError(
        () -> fixture.exec(HELP, schema, "dbo", name, "nix"), 22931, "'dbo.nix' does not exist");
    assertError(
        () -> fixture.exec(HELP, schema, "dbo", name, "orders"), 22985, "has not been enabled");
    fixture.enableUnseen("orders");
    assertThat(fixture.exec(HELP, schema, "DBO", name, "Orders").rows).hasSize(1);
    assertThat(fixture.exec(HELP, schema, "", name, null).rows).hasSize(1);
  }

  @Test
  void withoutCdcOnTheDatabaseTheProceduresFail() throws SqlServerError {
    fixture.exec("sp_cdc_disable_db");
    assertThat(fixture.cdc.enabled()).isFalse();
    assertError(() -> fixture.exec(HELP), 22901, "The database 'shop' is not enabled");
    assertError(() -> enable(), 22901, "The database 'shop' is not enabled");
    assertError(() -> fixture.exec(COLUMNS, "@capture_instance", "x"), 22901, "is not enabled");
    assertThat(fixture.cdc.functions().maxLsn()).isNull();
  }

  @Test
  void databaseCanBeEnabledAgain() throws SqlServerError {
    fixture.enableUnseen("orders");
    fixture.exec("sp_cdc_disable_db");
    assertThat(fixture.exec("sp_cdc_enable_db").infos).isEmpty();
    fixture.enable("orders");
    fixture.commit(inserted(ORDERS, 1, 1, "a"));
    fixture.cdc.capture();
    assertThat(fixture.changes("dbo_orders", "id")).hasSize(1);
    assertThat(fixture.exec("sp_cdc_enable_db").infos).containsExactly(22905);
  }

  @Test
  void capturedColumnsCarryTheirTypes() throws SqlServerError {
    fixture.table(
        5,
        "all_types",
        List.of(),
        column(1, "i", DataType.of(SqlTypeName.INT)),
        column(2, "d", DataType.decimal(12, 3)),
        column(3, "s", DataType.of(SqlTypeName.NVARCHAR, 40)),
        column(4, "m", DataType.of(SqlTypeName.VARBINARY, DataType.MAX)),
        column(5, "t", new DataType(SqlTypeName.DATETIME2, 0, 0, 3, null)),
        column(6, "v", DataType.of(SqlTypeName.ROWVERSION)),
        column(8, "f", DataType.of(SqlTypeName.FLOAT)));
    fixture.enableUnseen("all_types");
    RecordedResult result = fixture.exec(COLUMNS, "@capture_instance", "dbo_all_types");
    assertThat(result.columnNames())
        .containsExactly(
            "source_schema",
            "source_table",
            "capture_instance",
            "column_name",
            "column_id",
            "column_ordinal",
            "data_type",
            "character_maximum_length",
            "numeric_precision",
            "numeric_precision_radix",
            "numeric_scale",
            "datetime_precision");
    assertThat(result.rows.stream().map(r -> asList(r).subList(3, 12)))
        .containsExactly(
            asList("i", 1, 1, "int", null, 10, 10, 0, null),
            asList("d", 2, 2, "decimal", null, 12, 10, 3, null),
            asList("s", 3, 3, "nvarchar", 40, null, null, null, null),
            asList("m", 4, 4, "varbinary", -1, null, null, null, null),
            asList("t", 5, 5, "datetime2", null, null, null, null, 3),
            asList("v", 6, 6, "timestamp", null, null, null, null, null),
            asList("f", 8, 7, "float", null, 53, 2, null, null));
    assertThat(fixture.query("SELECT column_name, column_ordinal FROM cdc.captured_columns"))
        .hasSize(7)
        .contains(asList("f", 7));
    assertThat(fixture.cdc.functions().columnOrdinal("dbo_all_types", "F")).isEqualTo(7);
    assertThat(fixture.cdc.functions().columnOrdinal("dbo_all_types", "no")).isNull();
  }

  @Test
  void capturedColumnListPicksColumnsInTheTablesOrder() throws SqlServerError {
    fixture.table(
        5,
        "wide",
        List.of(key("PK_wide", "a")),
        column(1, "a", DataType.of(SqlTypeName.INT)),
        column(2, "b, c", DataType.of(SqlTypeName.INT)),
        column(3, "d", DataType.of(SqlTypeName.INT)));
    fixture.enableUnseen("wide", "@captured_column_list", "\"b, c\" , [a]");
    assertThat(fixture.exec(HELP).value(0, "captured_column_list")).isEqualTo("[a], [b, c]");
    fixture.commit(inserted(5, 1, 1, 2, 3));
    fixture.cdc.capture();
    assertThat(fixture.changes("dbo_wide", "a, \"b, c\"")).containsExactly(asList(1, 2));
  }

  @Test
  void badCapturedColumnListsAreRefused() {
    assertError(() -> enable("@captured_column_list", "id, nix"), 22930, "'nix' as a column");
    assertError(() -> enable("@captured_column_list", "[id, name"), 22965, "not properly");
    assertError(() -> enable("@captured_column_list", "name"), 22943, "must be included");
  }

  @Test
  void keyIsTheIndexAskedForElseThePrimaryKey() throws SqlServerError {
    ColumnInfo nullable = new ColumnInfo(3, "c", DataType.of(SqlTypeName.INT), true, false, false);
    fixture.table(
        5,
        "keys",
        List.of(
            key("PK_keys", "a"),
            new UniqueIndex("UX_b", false, List.of("b")),
            new UniqueIndex("UX_c", false, List.of("c"))),
        column(1, "a", DataType.of(SqlTypeName.INT)),
        column(2, "b", DataType.of(SqlTypeName.INT)),
        nullable);
    fixture.enableUnseen("keys", "@index_name", "UX_b");
    assertThat(fixture.exec(HELP).value(0, "index_column_list")).isEqualTo("[b]");
    assertThat(fixture.query("SELECT column_name, index_ordinal, column_id FROM cdc.index_columns"))
        .containsExactly(asList("b", 1, 2));
    String two = "keys2";
    assertError(
        () ->
            fixture.enableAs(fixture.admin(), "keys", "@capture_instance", two, "@index_name", "X"),
        22928,
        "'X' is not an index");
    assertError(
        () ->
            fixture.enableAs(
                fixture.admin(), "keys", "@capture_instance", two, "@index_name", "UX_c"),
        22838,
        "must be defined as NOT NULL");
  }

  @Test
  void tableWithoutKeyHasNoNetChanges() throws SqlServerError {
    fixture.table(5, "heap", List.of(), column(1, "a", DataType.of(SqlTypeName.INT)));
    assertError(
        () -> fixture.enableAs(fixture.admin(), "heap", "@supports_net_changes", 1),
        22939,
        "does not have a primary key");
    fixture.enableUnseen("heap");
    assertThat(fixture.exec(HELP).value(0, "supports_net_changes")).isEqualTo(false);
    assertThat(fixture.exec(HELP).value(0, "index_name")).isNull();
  }

  @Test
  void thirdInstanceOfATableIsRefused() {
    fixture.enableUnseen("orders");
    assertError(() -> enable(), 22926, "'dbo_orders' already exists");
    fixture.enableUnseen("orders", "@capture_instance", "two");
    assertError(() -> enable("@capture_instance", "three"), 22962, "'dbo.orders'. A table can");
  }

  @Test
  void badNamesAreRefused() {
    assertError(() -> enable("@capture_instance", "x".repeat(101)), 22927, "limit of 100");
    assertError(() -> enable("@role_name", ""), 22907, "@role_name cannot be empty");
    assertError(() -> fixture.enableAs(fixture.admin(), "nix"), 22931, "'dbo.nix' does not exist");
    assertError(
        () -> enable("@source_schema", "cdc", "@source_name", "ddl_history"), 22974, "cdc schema");
    fixture.table(5, "odd", List.of(), column(1, "__$seqval", DataType.of(SqlTypeName.INT)));
    assertError(() -> fixture.enableAs(fixture.admin(), "odd"), 22975, "reserved column names");
  }

  @Test
  void roleNameMustBeGiven() {
    SqlServerError error =
        catchThrowableOfType(
            SqlServerError.class,
            () ->
                fixture.exec(
                    "sp_cdc_enable_table", "@source_schema", "dbo", "@source_name", "orders"));
    assertThat(error.number()).isEqualTo(201);
    assertThat(error)
        .hasMessage(
            "Procedure or function 'sp_cdc_enable_table' expects parameter '@role_name', which was"
                + " not supplied.");
  }

  @Test
  void onlyOwnersConfigure() throws SqlServerError {
    SessionContext user = Caller.user(fixture.store);
    fixture.enableUnseen("orders");
    assertError(() -> fixture.enableAs(user, "orders"), 22904, "DBO privileges");
    assertError(() -> fixture.exec(user, "sp_cdc_help_jobs"), 22904, "DBO privileges");
    assertError(() -> fixture.exec(user, "sp_cdc_scan"), 22904, "DBO privileges");
    assertError(() -> fixture.exec(user, "sp_cdc_enable_db"), 22902, "sysadmin privileges");
  }

  @Test
  void callerSeesOnlyInstancesThatHeMayRead() throws SqlServerError {
    fixture.enable("orders", "@role_name", "readers");
    byte[] zero = new byte[10];
    Caller user = Caller.user(fixture.store);
    for (Caller blind : List.of(user, user.withSelect(ORDERS), user.withRole("readers"))) {
      assertThat(fixture.exec(blind, HELP).rows).isEmpty();
      assertThat(fixture.cdc.functions().minLsn(blind, "dbo_orders")).isEqualTo(zero);
      assertError(
          () -> fixture.exec(blind, COLUMNS, "@capture_instance", "dbo_orders"),
          22981,
          "Object does not exist or access is denied.");
    }
    Caller reader = user.withRole("readers").withSelect(ORDERS);
    assertThat(fixture.exec(reader, HELP).rows).hasSize(1);
    assertThat(fixture.exec(reader, COLUMNS, "@capture_instance", "dbo_orders").rows).hasSize(2);
    assertThat(fixture.cdc.functions().minLsn(reader, "dbo_orders")).isNotEqualTo(zero);
  }

  @Test
  void minLsnOfAnUnknownInstanceIsZero() {
    fixture.enable("orders");
    for (String name : new String[] {"nix", "", "[dbo_orders]", null}) {
      assertThat(fixture.cdc.functions().minLsn(fixture.admin(), name)).isEqualTo(new byte[10]);
    }
    assertError(
        () -> fixture.exec(COLUMNS, "@capture_instance", "nix"), 22981, "Object does not exist");
  }

  @Test
  void ddlHistoryShowsAnAlterOnceCaptureHasReachedIt() throws SqlServerError {
    fixture.enable("orders");
    String ddl = "ALTER TABLE dbo.orders ADD note nvarchar(20)";
    fixture.cdc.tableAltered(ORDERS, ddl, Map.of());
    String history = "sp_cdc_get_ddl_history";
    assertThat(fixture.exec(history, "@capture_instance", "dbo_orders").rows).isEmpty();
    fixture.cdc.capture();
    RecordedResult result = fixture.exec(history, "@capture_instance", "dbo_orders");
    assertThat(result.columnNames())
        .containsExactly(
            "source_schema",
            "source_table",
            "capture_instance",
            "required_column_update",
            "ddl_command",
            "ddl_lsn",
            "ddl_time");
    assertThat(result.rows).hasSize(1);
    assertThat(result.value(0, "ddl_command")).isEqualTo(ddl);
    assertThat(result.value(0, "required_column_update")).isEqualTo(false);
    assertThat(result.value(0, "ddl_lsn")).isEqualTo(fixture.cdc.functions().maxLsn());
  }

  @Test
  void disablingTakesTheChangeTableAndTheLastOneTakesTheMap() throws SqlServerError {
    fixture.enable("orders").enable("orders", "@capture_instance", "two");
    String[] of = {"@source_schema", "dbo", "@source_name", "orders"};
    String disable = "sp_cdc_disable_table";
    assertError(
        () -> fixture.exec(disable, of[0], of[1], of[2], of[3], "@capture_instance", "nix"),
        22960,
        "'nix' has not been enabled for the source table 'dbo.orders'");
    fixture.exec(disable, of[0], of[1], of[2], of[3], "@capture_instance", "two");
    assertThat(fixture.exec(HELP).rows).hasSize(1);
    assertThat(fixture.store.table("cdc", "two_CT")).isEmpty();
    assertThat(fixture.cdc.functions().maxLsn()).isNotNull();
    fixture.exec(disable, of[0], of[1], of[2], of[3], "@capture_instance", "all");
    assertThat(fixture.cdc.functions().maxLsn()).isNull();
    assertThat(fixture.cdc.tracks(ORDERS)).isFalse();
    assertError(
        () -> fixture.exec(disable, of[0], of[1], of[2], of[3], "@capture_instance", "all"),
        22985,
        "has not been enabled for source table 'dbo.orders'");
  }

  @Test
  void droppedTableTakesItsInstancesAlong() throws SqlServerError {
    fixture.enable("orders");
    fixture.commit(inserted(ORDERS, 1, 1, "a"));
    fixture.store.tables.remove(ORDERS);
    fixture.cdc.tableDropped(ORDERS);
    fixture.cdc.capture();
    assertThat(fixture.exec(HELP).rows).isEmpty();
    assertThat(fixture.store.table("cdc", "dbo_orders_CT")).isEmpty();
  }

  @Test
  void jobsAreThereAsLongAsAnInstanceIs() throws SqlServerError {
    assertThat(fixture.exec("sp_cdc_help_jobs").rows).isEmpty();
    assertError(
        () -> fixture.exec("sp_cdc_change_job", "@job_type", "cleanup", "@retention", 60),
        22997,
        "'cleanup' job does not exist");
    fixture.enableUnseen("orders");
    fixture.exec("sp_cdc_change_job", "@job_type", "cleanup", "@retention", 60);
    fixture.exec("sp_cdc_change_job", "@continuous", 0);
    RecordedResult jobs = fixture.exec("sp_cdc_help_jobs");
    assertThat(jobs.rows.stream().map(r -> asList(r).subList(1, 8)))
        .containsExactly(
            asList("capture", 500, 10, false, 0L, 0L, 0L),
            asList("cleanup", 0, 0, false, 0L, 60L, 5000L));
    assertError(
        () -> fixture.exec("sp_cdc_change_job", "@job_type", "cleanup", "@retention", 52_594_801),
        22994,
        "less than or equal to 52594800");
    assertError(
        () -> fixture.exec("sp_cdc_change_job", "@job_type", "odd"),
        22992,
        "The specified @job_type, odd");
    assertError(() -> fixture.exec("sp_cdc_change_job", "@retention", 5), 22995, "'capture'");
  }

  @Test
  void scanCapturesNow() throws SqlServerError {
    fixture.enable("orders");
    for (int i = 0; i < 5; i++) {
      fixture.commit(inserted(ORDERS, 1, i, "a"));
    }
    fixture.exec("sp_cdc_scan", "@maxtrans", 2, "@maxscans", 2);
    assertThat(fixture.changes("dbo_orders", "id")).hasSize(4);
    fixture.exec("sp_cdc_scan");
    assertThat(fixture.changes("dbo_orders", "id")).hasSize(5);
  }
}
