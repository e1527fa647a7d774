package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.CommandIds;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Change tables of servers before the update that brought command ids, and of those after it: on
 * the stand-in only, since no server can be told to be old.
 */
class CommandIdTest {
  private final StandIn server =
      StandIn.builder().cdc(CdcSettings.defaults().with(CommandIds.NO_COLUMN)).start();
  private final ClientFixture fixture = new ClientFixture(StandInDatabase.create(server));

  @AfterEach
  void close() {
    fixture.close();
    server.close();
  }

  @Test
  void withoutTheColumnChangesAreReadInTheOrderOfTheirSequenceValues() throws SQLException {
    changeInOneCommit();
    CaptureInstance orders = fixture.orders();
    Lsn start = ClientFixture.start(orders);

    assertThat(orders.hasCommandIds()).isFalse();
    assertThat(fixture.client.head(orders, start, HeadLimits.NONE).hasRows()).isTrue();
    assertThat(
            fixture
                .client
                .planChanges(orders, start, fixture.maxLsn(), new TileLimits(3, 1))
                .tiles())
        .hasSize(3)
        .allSatisfy(tile -> assertThat(tile.first().commandId()).isNull());
    assertThat(changes(orders, start))
        .containsExactly("2 1 a", "2 2 b", "3 1 a", "4 1 c", "3 2 b", "4 2 c", "1 1 c");
  }

  @Test
  void withoutTheColumnAPositionStillCutsTheChangesInTwo() throws SQLException {
    changeInOneCommit();
    CaptureInstance orders = fixture.orders();
    Lsn start = ClientFixture.start(orders);
    Lsn max = fixture.maxLsn();
    List<ClientFixture.Change> all = fixture.changes(orders, ChangeRange.commits(start, max));

    for (int i = 1; i < all.size(); i++) {
      ChangePosition cut = all.get(i).position();
      List<ClientFixture.Change> parts =
          new ArrayList<>(fixture.changes(orders, new ChangeRange(start, null, cut.commit(), cut)));
      assertThat(parts).hasSize(i);
      parts.addAll(
          fixture.changes(orders, new ChangeRange(cut.commit().previous(), cut, max, null)));
      assertThat(parts).isEqualTo(all);
    }
  }

  @Test
  void anInstanceOfTodayHasCommandIds() {
    try (StandIn today = StandIn.start();
        ClientFixture current = new ClientFixture(StandInDatabase.create(today))) {
      assertThat(current.orders().hasCommandIds()).isTrue();
    }
  }

  /** The update that brings the column leaves rows that are there with NULL. */
  @Test
  void rowsOfBeforeTheUpgradeComeBeforeThoseAfterIt() throws SQLException {
    try (StandIn today = StandIn.start();
        ClientFixture upgraded = new ClientFixture(StandInDatabase.create(today))) {
      upgraded.commit("INSERT INTO dbo.orders VALUES (1, N'a'), (2, N'b')");
      upgraded.database.run("UPDATE cdc.dbo_orders_CT SET [__$command_id] = NULL");
      upgraded.commit("UPDATE dbo.orders SET name = N'c'");
      CaptureInstance orders = upgraded.orders();
      Lsn start = ClientFixture.start(orders);

      List<ClientFixture.Change> changes =
          upgraded.changes(orders, ChangeRange.commits(start, upgraded.maxLsn()));

      assertThat(changes)
          .extracting(ClientFixture.Change::text)
          .containsExactly("2 1 a", "2 2 b", "3 1 a", "4 1 c", "3 2 b", "4 2 c");
      assertThat(changes)
          .extracting(change -> change.position().commandId() == null)
          .containsExactly(true, true, false, false, false, false);
    }
  }

  private void changeInOneCommit() {
    fixture.commit(
        "BEGIN TRAN; INSERT INTO dbo.orders VALUES (1, N'a'), (2, N'b');"
            + " UPDATE dbo.orders SET name = N'c'; DELETE FROM dbo.orders WHERE id = 1; COMMIT");
  }

  private List<String> changes(CaptureInstance orders, Lsn start) throws SQLException {
    return fixture.changes(orders, ChangeRange.commits(start, fixture.maxLsn())).stream()
        .peek(change -> assertThat(change.position().commandId()).isNull())
        .map(ClientFixture.Change::text)
        .toList();
  }
}
