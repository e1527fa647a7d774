package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.ClientFixture.Change;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import io.github.mssqlcdc.type.SelectColumn;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server's own collation decides on names of variables: ours must be spelt one way only. */
class CaseSensitiveServerTest {

  @ParameterizedTest
  @ValueSource(strings = {"Latin1_General_BIN2", "Latin1_General_CS_AS", "Turkish_CI_AS"})
  void everyStatementRuns(String collation) throws Exception {
    try (StandIn standIn = StandIn.builder().collation(collation).start();
        ClientFixture fixture = new ClientFixture(StandInDatabase.create(standIn))) {
      fixture.commit(
          "INSERT INTO dbo.orders (id, name) VALUES (1, N'a'), (2, N'b')",
          "UPDATE dbo.orders SET name = N'B'");
      assertThatThrownBy(() -> fixture.database.query("DECLARE @i int = 1; SELECT @I"))
          .rootCause()
          .hasMessage("Must declare the scalar variable \"@I\".");
      CaptureInstance orders = fixture.orders();
      Lsn start = ClientFixture.start(orders);
      Lsn max = fixture.maxLsn();

      assertThat(fixture.client.capturedColumns(orders)).hasSize(2);
      assertThat(fixture.client.clock()).isNotNull();
      assertThat(fixture.client.mapEntry(max)).isPresent();
      assertThat(fixture.client.snapshotStamp(orders).maxLsn()).isEqualTo(max);
      assertThat(fixture.client.head(orders, start, new HeadLimits(max, 100L, 3L)).end())
          .isNotNull();
      assertThat(fixture.client.planChanges(orders, start, max, TileLimits.atMost(2)).tiles())
          .hasSize(2);
      assertThat(fixture.client.keyExtents(orders, List.of(ClientFixture.ids(null, null))))
          .containsExactly(new KeyExtent(1, 2));
      List<Change> all = fixture.changes(orders, ChangeRange.commits(start, max));
      ChangePosition cut = all.get(3).position();
      assertThat(fixture.changes(orders, new ChangeRange(cut.commit().previous(), cut, max, null)))
          .isEqualTo(all.subList(3, 6));
      try (RowCursor rows =
          fixture.client.readTable(
              orders,
              SelectColumn.plain(List.of("id")),
              TablePart.of(ClientFixture.ids(1L, 3L)),
              max)) {
        assertThat(rows.next()).isTrue();
      }
    }
  }
}
