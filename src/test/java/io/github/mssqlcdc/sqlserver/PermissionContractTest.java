package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.MissingGrantException;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.type.SelectColumn;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a login of least privilege may do, and what it is told otherwise. */
class PermissionContractTest {
  private static final String PASSWORD = "Leser-geheim-1";

  /** Logins belong to the server, which outlives a test's database. */
  private final String login = "reader_" + UUID.randomUUID().toString().replace("-", "");

  private final ClientFixture fixture = new ClientFixture();

  @BeforeEach
  void createLogin() {
    fixture.commit(
        "CREATE LOGIN " + login + " WITH PASSWORD = '" + PASSWORD + "'",
        "CREATE USER reader FOR LOGIN " + login,
        "GRANT SELECT ON dbo.orders TO reader",
        "INSERT INTO dbo.orders (id, name) VALUES (1, N'a')");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void withoutAGrantOnTheChangeTableTheGrantIsNamed() {
    SqlServer reader = fixture.connect(login, PASSWORD);
    CaptureInstance orders = reader.captureInstance("dbo_orders");
    Lsn start = ClientFixture.start(orders);

    assertThat(reader.capturedColumns(orders)).hasSize(2);
    assertMissingGrant(() -> reader.head(orders, start, HeadLimits.NONE));
    assertMissingGrant(() -> reader.planChanges(orders, start, fixture.maxLsn(), 2));
    assertMissingGrant(
        () ->
            reader.readChanges(
                orders, ChangeRange.commits(start, fixture.maxLsn()), ClientFixture.COLUMNS));
  }

  @Test
  void withBothGrantsEverythingIsRead() throws SQLException {
    fixture.database.run("GRANT SELECT ON cdc.dbo_orders_CT TO reader");
    SqlServer reader = fixture.connect(login, PASSWORD);
    CaptureInstance orders = reader.captureInstance("dbo_orders");
    Lsn start = ClientFixture.start(orders);
    Lsn max = reader.maxLsn().orElseThrow();

    assertThat(reader.clock().zone()).isNotNull();
    assertThat(reader.snapshotStamp(orders).lsn()).isEqualTo(max);
    assertThat(reader.head(orders, start, HeadLimits.NONE).hasRows()).isTrue();
    assertThat(reader.planChanges(orders, start, max, 2).tiles()).hasSize(1);
    assertThat(reader.keyExtent(orders, "id")).isEqualTo(new KeyExtent(1L, 1L));
    try (RowCursor changes =
        reader.readChanges(orders, ChangeRange.commits(start, max), ClientFixture.COLUMNS)) {
      assertThat(changes.next()).isTrue();
      assertThat(changes.next()).isFalse();
      assertThat(changes.tail().networkWaitMs()).isNotNegative();
    }
    try (RowCursor rows =
        reader.readTable(orders, SelectColumn.plain(List.of("name")), null, max)) {
      assertThat(rows.next()).isTrue();
    }
  }

  @Test
  void withoutAGrantOnTheSourceTableTheInstanceIsNotSeen() {
    fixture.database.run("REVOKE SELECT ON dbo.orders FROM reader");
    SqlServer reader = fixture.connect(login, PASSWORD);

    assertThatThrownBy(() -> reader.captureInstance("dbo_orders"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("that the login may see");
    assertThatThrownBy(() -> reader.readTable(fixture.orders(), ClientFixture.COLUMNS, null, null))
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining("GRANT SELECT ON [dbo].[orders]");
  }

  @Test
  void aWrongPasswordOrDatabaseIsOneClearError() {
    assertThatThrownBy(fixture.connect(login, "falsch-geheim")::maxLsn)
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Cannot log in (server localhost:")
        .hasMessageNotContaining("geheim");
    assertThatThrownBy(
            fixture.connect(
                    login,
                    PASSWORD,
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
        .hasMessageContaining("database nowhere, user " + login)
        .hasMessageNotContaining("geheim");
  }

  private static void assertMissingGrant(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(MissingGrantException.class)
        .hasMessageContaining("GRANT SELECT ON [cdc].[dbo_orders_CT]")
        .hasCauseInstanceOf(SQLException.class);
  }
}
