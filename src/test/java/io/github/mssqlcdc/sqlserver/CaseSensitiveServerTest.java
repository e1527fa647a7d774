package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.ClientFixture.Change;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.source.OpenRows;
import io.github.mssqlcdc.testkit.sqlserver.ManualClock;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import io.github.mssqlcdc.type.SelectColumn;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server's own collation decides on names of variables: ours must be spelt one way only. */
class CaseSensitiveServerTest {
  /** The clocks go back in New York. */
  private static final Instant FALL_BACK = Instant.parse("2025-11-02T06:00:00Z");

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
      assertThat(fixture.client.planChanges(orders, start, max, new TileLimits(2, 1)).tiles())
          .hasSize(2);
      assertThat(fixture.client.keyExtents(orders, List.of(ClientFixture.ids(null, null))))
          .containsExactly(new KeyExtent(1, 2));
      List<Change> all = fixture.changes(orders, ChangeRange.commits(start, max));
      ChangePosition cut = all.get(3).position();
      assertThat(fixture.changes(orders, new ChangeRange(cut.commit().previous(), cut, max, null)))
          .isEqualTo(all.subList(3, 6));
      try (OpenRows rows =
          OpenRows.of(
              fixture.client.readTable(
                  orders,
                  SelectColumn.plain(List.of("id")),
                  TablePart.of(ClientFixture.ids(1L, 3L)),
                  max))) {
        assertThat(rows.next()).isTrue();
      }
      assertThat(fixture.client.tableSize(orders)).isNotNull();
      assertThat(
              fixture.client.seekKey(
                  orders, new KeySeek(ClientFixture.ids(null, null).columns(), List.of(), null, 1)))
          .contains(KeyBound.of("2"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Latin1_General_BIN2", "Latin1_General_CS_AS", "Turkish_CI_AS"})
  void everyQuestionAboutTimesRuns(String collation) {
    ManualClock clock = new ManualClock(FALL_BACK.minusSeconds(7200));
    try (StandIn standIn =
            StandIn.builder()
                .collation(collation)
                .clock(clock)
                .timeZone(ZoneId.of("America/New_York"))
                .manualCapture()
                .start();
        ClientFixture fixture = new ClientFixture(StandInDatabase.create(standIn))) {
      CaptureInstance orders = fixture.orders();
      Lsn start = ClientFixture.start(orders);
      for (long seconds : List.of(-600L, 600L)) {
        clock.set(FALL_BACK.plusSeconds(seconds));
        fixture.commit("INSERT INTO dbo.orders (id) VALUES (" + (seconds + 2000) + ")");
      }
      Lsn max = fixture.maxLsn();

      Head.End end =
          Objects.requireNonNull(fixture.client.head(orders, start, HeadLimits.NONE).end());
      assertThat(end.clock().fallBacks()).hasSize(1);
      assertThat(end.latest()).isEqualTo(LocalDateTime.parse("2025-11-02T06:10:00"));
      assertThat(fixture.client.clock(start, max).fallBacks()).hasSize(1);
      assertThat(fixture.client.startAt(orders, FALL_BACK.plusSeconds(60)).after()).isLessThan(max);
      assertThat(fixture.client.captureLag()).isLessThan(Duration.ofMinutes(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Latin1_General_BIN2", "Latin1_General_CS_AS", "Turkish_CI_AS"})
  void everyQuestionAboutAFailureRuns(String collation) {
    try (StandIn standIn = StandIn.builder().collation(collation).start();
        ClientFixture fixture = new ClientFixture(StandInDatabase.create(standIn))) {
      fixture.commit(
          "CREATE LOGIN reader WITH PASSWORD = 'Leser-geheim-1'",
          "CREATE USER reader FOR LOGIN reader",
          "INSERT INTO dbo.orders (id) VALUES (1)");
      SqlServer reader = fixture.connect("reader", "Leser-geheim-1");
      CaptureInstance orders = fixture.orders();
      ChangeRange all = ChangeRange.commits(ClientFixture.start(orders), fixture.maxLsn());

      assertThatThrownBy(() -> reader.captureInstance("dbo_orders"))
          .hasMessageContaining("Ask for GRANT SELECT ON [dbo].[orders] TO [reader]");
      fixture.database.run(
          "GRANT SELECT ON dbo.orders TO reader", "DENY SELECT ON dbo.orders (name) TO reader");
      assertThatThrownBy(() -> reader.captureInstance("dbo_orders"))
          .hasMessageContaining("Ask for REVOKE SELECT ON [dbo].[orders] ([name]) FROM");
      assertThatThrownBy(() -> OpenRows.of(reader.readChanges(orders, all, ClientFixture.COLUMNS)))
          .hasMessageContaining("Ask for GRANT SELECT ON [cdc].[dbo_orders_CT] TO [reader]");
      fixture.database.run("EXEC sys.sp_cdc_disable_db");
      assertThatThrownBy(() -> fixture.client.maxLsn())
          .hasMessageContaining("change data capture is not enabled on the database");
    }
  }
}
