package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.MissingGrantException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.LsnMapAccess;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A server that keeps its LSN map from plain users. The map was seen open to all, but nobody says
 * that it is so everywhere: on the stand-in only, which has both.
 */
class LsnMapAccessTest {
  private final StandIn server =
      StandIn.builder().cdc(CdcSettings.defaults().with(LsnMapAccess.DB_OWNER)).start();
  private final ClientFixture fixture = new ClientFixture(StandInDatabase.create(server));

  @AfterEach
  void close() {
    fixture.close();
    server.close();
  }

  @Test
  void theGrantOnTheMapIsNamedAndIsEnough() throws SQLException {
    fixture.commit(
        "CREATE LOGIN reader WITH PASSWORD = 'Leser-geheim-1'",
        "CREATE USER [a reader] FOR LOGIN reader",
        "GRANT SELECT ON dbo.orders TO [a reader]",
        "GRANT SELECT ON cdc.dbo_orders_CT TO [a reader]",
        "INSERT INTO dbo.orders VALUES (1, N'a')");
    SqlServer reader = fixture.connect("reader", "Leser-geheim-1");
    CaptureInstance orders = reader.captureInstance("dbo_orders");
    Lsn start = ClientFixture.start(orders);

    for (var call :
        List.<Runnable>of(
            () -> reader.head(orders, start, HeadLimits.NONE),
            () -> reader.mapEntry(start),
            () -> reader.snapshotStamp(orders))) {
      assertThatThrownBy(call::run)
          .isInstanceOf(MissingGrantException.class)
          .hasMessageContaining("Ask for GRANT SELECT ON [cdc].[lsn_time_mapping] TO [a reader]");
    }

    fixture.database.run("GRANT SELECT ON cdc.lsn_time_mapping TO [a reader]");
    assertThat(reader.head(orders, start, HeadLimits.NONE).hasRows()).isTrue();
  }
}
