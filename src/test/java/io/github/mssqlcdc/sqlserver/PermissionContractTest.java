package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.error.MissingGrantException;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.testkit.contract.TestLogin;
import io.github.mssqlcdc.testkit.source.OpenRows;
import io.github.mssqlcdc.type.SelectColumn;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a login of least privilege may do, and what it is told otherwise. */
class PermissionContractTest {
  private final ClientFixture fixture = new ClientFixture();
  private final TestLogin login = fixture.database.createLogin("reader");

  @BeforeEach
  void prepare() {
    fixture.commit(
        "GRANT SELECT ON dbo.orders TO reader",
        "INSERT INTO dbo.orders (id, name) VALUES (1, N'a')");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void withoutAGrantOnTheChangeTableTheGrantIsNamed() {
    SqlServer reader = fixture.connect(login);
    CaptureInstance orders = reader.captureInstance("dbo_orders");
    Lsn start = ClientFixture.start(orders);

    assertThat(reader.capturedColumns(orders)).hasSize(2);
    assertMissingGrant(() -> reader.head(orders, start, HeadLimits.NONE));
    assertMissingGrant(
        () -> reader.planChanges(orders, start, fixture.maxLsn(), new TileLimits(2, 1)));
    assertMissingGrant(
        () ->
            OpenRows.of(
                reader.readChanges(
                    orders, ChangeRange.commits(start, fixture.maxLsn()), ClientFixture.COLUMNS)));
  }

  @Test
  void withBothGrantsEverythingIsRead() throws SQLException {
    fixture.database.run("GRANT SELECT ON cdc.dbo_orders_CT TO reader");
    SqlServer reader = fixture.connect(login);
    CaptureInstance orders = reader.captureInstance("dbo_orders");
    Lsn start = ClientFixture.start(orders);
    Lsn max = reader.maxLsn().orElseThrow();

    assertThat(reader.clock().zone()).isNotNull();
    assertThat(reader.snapshotStamp(orders).lsn()).isEqualTo(max);
    assertThat(reader.head(orders, start, HeadLimits.NONE).hasRows()).isTrue();
    assertThat(reader.planChanges(orders, start, max, new TileLimits(2, 1)).tiles()).hasSize(1);
    assertThat(reader.keyExtents(orders, List.of(ClientFixture.ids(null, null))))
        .containsExactly(new KeyExtent(1, 1));
    try (OpenRows changes =
        OpenRows.of(
            reader.readChanges(orders, ChangeRange.commits(start, max), ClientFixture.COLUMNS))) {
      assertThat(changes.next()).isTrue();
      assertThat(changes.next()).isFalse();
      assertThat(changes.tail().networkWaitMs()).isNotNegative();
    }
    try (OpenRows rows =
        OpenRows.of(
            reader.readTable(orders, SelectColumn.plain(List.of("name")), TablePart.WHOLE, max))) {
      assertThat(rows.next()).isTrue();
    }
  }

  @Test
  void withoutAGrantOnTheSourceTableTheGrantIsNamedThoughTheInstanceIsNotSeen() {
    fixture.database.run("REVOKE SELECT ON dbo.orders FROM reader");
    SqlServer reader = fixture.connect(login);

    assertThatThrownBy(() -> reader.captureInstance("dbo_orders"))
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining("capture instance 'dbo_orders' exists")
        .hasMessageContaining("Ask for GRANT SELECT ON [dbo].[orders] TO [reader]");
    assertThatThrownBy(() -> reader.capturedColumns(fixture.orders()))
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining("Ask for GRANT SELECT ON [dbo].[orders] TO [reader]")
        .hasCauseInstanceOf(SQLException.class);
    assertThatThrownBy(
            () ->
                OpenRows.of(
                    reader.readTable(
                        fixture.orders(), ClientFixture.COLUMNS, TablePart.WHOLE, null)))
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining("Ask for GRANT SELECT ON [dbo].[orders] TO [reader]");
  }

  @Test
  void outsideTheGatingRoleTheStatementThatAddsToItIsNamed() {
    fixture.commit(
        "CREATE TABLE dbo.gated_one (id int NOT NULL PRIMARY KEY)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'gated_one',"
            + " @role_name = N'the readers'",
        "GRANT SELECT ON dbo.gated_one TO reader",
        "GRANT SELECT ON cdc.dbo_gated_one_CT TO reader");
    SqlServer reader = fixture.connect(login);

    assertThatThrownBy(() -> reader.captureInstance("dbo_gated_one"))
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining(
            "Ask for ALTER ROLE [<gating role>] ADD MEMBER [reader] (SELECT on [dbo].[gated_one] is"
                + " there)")
        .hasMessageEndingWith(
            "role_name FROM cdc.change_tables WHERE capture_instance = N'dbo_gated_one'");

    fixture.database.run("ALTER ROLE [the readers] ADD MEMBER reader");
    CaptureInstance gated = reader.captureInstance("dbo_gated_one");
    assertThat(reader.head(gated, ClientFixture.start(gated), HeadLimits.NONE).hasRows()).isFalse();
  }

  @Test
  void anInstanceWithANameOfItsOwnDoesNotTellItsTable() {
    fixture.commit(
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = NULL, @capture_instance = N'it''s mine'",
        "REVOKE SELECT ON dbo.orders FROM reader");

    assertThatThrownBy(() -> fixture.connect(login).captureInstance("it's mine"))
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining("Ask for GRANT SELECT ON [<source table>] TO [reader]")
        .hasMessageEndingWith("WHERE capture_instance = N'it''s mine'");
  }

  @Test
  void aSecondInstanceNeedsAGrantOfItsOwn() {
    fixture.commit(
        "GRANT SELECT ON cdc.dbo_orders_CT TO reader",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = NULL, @capture_instance = N'orders ]2'");
    SqlServer reader = fixture.connect(login);
    CaptureInstance second = reader.captureInstance("orders ]2");

    assertThatThrownBy(() -> reader.head(second, ClientFixture.start(second), HeadLimits.NONE))
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining("Ask for GRANT SELECT ON [cdc].[orders ]]2_CT] TO [reader]");
  }

  @Test
  void grantsOnTheCapturedColumnsAloneAreEnoughAndFewerAreNot() throws SQLException {
    fixture.commit(
        "CREATE TABLE dbo.people (id int NOT NULL PRIMARY KEY, name nvarchar(50), salary money)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'people',"
            + " @role_name = NULL, @captured_column_list = N'id, name'",
        "INSERT INTO dbo.people VALUES (1, N'a', 5)",
        "GRANT SELECT ON dbo.people (id) TO reader",
        "GRANT SELECT ON cdc.dbo_people_CT ([__$start_lsn], [__$seqval], [__$operation],"
            + " [__$command_id], id) TO reader");
    SqlServer reader = fixture.connect(login);

    assertThatThrownBy(() -> reader.captureInstance("dbo_people"))
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining("Ask for GRANT SELECT ON [dbo].[people] TO [reader]");

    fixture.database.run("GRANT SELECT ON dbo.people (name) TO reader");
    CaptureInstance people = reader.captureInstance("dbo_people");
    ChangeRange all = ChangeRange.commits(ClientFixture.start(people), fixture.maxLsn());
    assertThat(reader.head(people, ClientFixture.start(people), HeadLimits.NONE).hasRows())
        .isTrue();
    try (OpenRows rows =
        OpenRows.of(reader.readTable(people, ClientFixture.COLUMNS, TablePart.WHOLE, null))) {
      assertThat(rows.next()).isTrue();
    }
    assertThat(reader.tableSize(people)).map(TableSize::rows).contains(1L);
    assertThat(
            reader.seekKey(
                people, new KeySeek(ClientFixture.ids(null, null).columns(), List.of(), null, 1)))
        .isEmpty();
    assertThatThrownBy(() -> OpenRows.of(reader.readChanges(people, all, ClientFixture.COLUMNS)))
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining("Ask for GRANT SELECT ON [cdc].[dbo_people_CT] TO [reader]")
        .cause()
        .hasMessageContaining("'name'");

    fixture.database.run("GRANT SELECT ON cdc.dbo_people_CT (name) TO reader");
    try (OpenRows changes = OpenRows.of(reader.readChanges(people, all, ClientFixture.COLUMNS))) {
      assertThat(changes.next()).isTrue();
    }
  }

  @Test
  void aColumnDeniedIsNamedOnBothTables() throws SQLException {
    fixture.database.run(
        "GRANT SELECT ON cdc.dbo_orders_CT TO reader",
        "DENY SELECT ON cdc.dbo_orders_CT (name) TO reader");
    SqlServer reader = fixture.connect(login);
    CaptureInstance orders = reader.captureInstance("dbo_orders");
    ChangeRange all = ChangeRange.commits(ClientFixture.start(orders), fixture.maxLsn());

    assertThatThrownBy(() -> OpenRows.of(reader.readChanges(orders, all, ClientFixture.COLUMNS)))
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining("the login may not read columns [name] of [cdc].[dbo_orders_CT]")
        .hasMessageEndingWith(
            "or ask for REVOKE SELECT ON [cdc].[dbo_orders_CT] ([name]) FROM whom it is denied to,"
                + " a role or [reader]")
        .cause()
        .hasMessageContaining("'name'");
    try (OpenRows changes =
        OpenRows.of(reader.readChanges(orders, all, SelectColumn.plain(List.of("id"))))) {
      assertThat(changes.next()).isTrue();
    }

    fixture.database.run("DENY SELECT ON dbo.orders (name) TO reader");
    assertThatThrownBy(
            () ->
                OpenRows.of(reader.readTable(orders, ClientFixture.COLUMNS, TablePart.WHOLE, null)))
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining("the login may not read columns [name] of [")
        .hasMessageContaining("REVOKE SELECT ON [dbo].[orders] ([name]) FROM");
    assertThatThrownBy(() -> reader.captureInstance("dbo_orders"))
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining("Ask for REVOKE SELECT ON [dbo].[orders] ([name]) FROM whom it is")
        .hasMessageContaining("with a gating role for ALTER ROLE");
  }

  @Test
  void aNameThatTwoTablesMayHaveGivenNamesBoth() {
    fixture.commit(
        "CREATE SCHEMA two",
        "CREATE SCHEMA two_b",
        "CREATE TABLE two.b_c (id int NOT NULL PRIMARY KEY)",
        "CREATE TABLE two_b.c (id int NOT NULL PRIMARY KEY)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'two_b', @source_name = N'c',"
            + " @role_name = NULL");

    assertThatThrownBy(() -> fixture.connect(login).captureInstance("two_b_c"))
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining("Ask for GRANT SELECT ON [<source table>] TO [reader]")
        .hasMessageContaining("the table may be [two].[b_c] or [two_b].[c]");
  }

  @Test
  void aTableThatIsNotCapturedIsToldApartFromOneThatIsNotThere() {
    fixture.database.run(
        "CREATE TABLE dbo.other_one (id int NOT NULL PRIMARY KEY)",
        "GRANT SELECT ON dbo.other_one TO reader");
    SqlServer reader = fixture.connect(login);

    assertThatThrownBy(() -> reader.captureInstance("dbo_other_one"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("Unknown capture instance 'dbo_other_one'")
        .hasMessageEndingWith(
            "Table [dbo].[other_one] is there; if it isn't captured yet, a db_owner runs EXEC"
                + " sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'other_one',"
                + " @role_name = NULL");
    assertThatThrownBy(() -> reader.captureInstance("dbo_nothing"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("Unknown capture instance 'dbo_nothing'")
        .hasMessageNotContaining("is there");
  }

  @Test
  void aLoginThatIsNoUserOfTheDatabaseIsToldHowToBecomeOne() {
    fixture.database.run("DROP USER reader");

    assertThatThrownBy(fixture.connect(login, "jdbc.connectRetryCount", "0")::maxLsn)
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Cannot open the database (server ")
        .hasMessageContaining(
            "CREATE USER [" + login.name() + "] FOR LOGIN [" + login.name() + "]");
  }

  @Test
  void aWrongPasswordOrDatabaseIsOneClearError() {
    assertThatThrownBy(fixture.connect(login.name(), "falsch-geheim")::maxLsn)
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Cannot log in (server localhost:")
        .hasMessageNotContaining("geheim");
    assertThatThrownBy(
            fixture.connect(
                    login,
                    "url",
                    fixture
                        .database
                        .url()
                        .replaceFirst("databaseName=[^;]*", "databaseName=nowhere"),
                    "jdbc.connectRetryCount",
                    "0")
                ::maxLsn)
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Cannot ")
        .hasMessageContaining("database nowhere, user " + login.name())
        .hasMessageNotContaining("geheim");
  }

  private static void assertMissingGrant(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining("Ask for GRANT SELECT ON [cdc].[dbo_orders_CT] TO [reader]")
        .hasCauseInstanceOf(SQLException.class);
  }
}
