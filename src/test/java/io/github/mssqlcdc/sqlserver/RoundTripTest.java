package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.source.OpenRows;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import io.github.mssqlcdc.testkit.sqlserver.StandIn.Received;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each call of the port is one round trip; the pool and the driver add none. */
class RoundTripTest {
  private static final KeySeek SEEK =
      new KeySeek(ClientFixture.ids(null, null).columns(), List.of(), null, 1);

  private static final SliceGrid GRID = new SliceGrid(SEEK.columns().get(0), 1, 9, 3);

  private final StandIn server = StandIn.builder().manualCapture().start();
  private final StandInDatabase database = StandInDatabase.create(server);
  private final ClientFixture fixture = new ClientFixture(database);
  private final CaptureInstance orders = fixture.orders();

  @AfterEach
  void close() {
    fixture.close();
    server.close();
  }

  @Test
  void eachCallIsOneRequestOnTheWarmConnection() {
    fixture.commit("INSERT INTO dbo.orders (id, name) VALUES (1, N'a')");
    SqlServer client = fixture.client;
    // its zone is looked up once
    assertThat(client.clock().fallBacks()).isEmpty();
    Lsn start = ClientFixture.start(orders);
    Lsn max = fixture.maxLsn();
    HeadLimits caps = new HeadLimits(max, 5L, 5L);

    assertOneRequest(() -> client.captureInstance("dbo_orders"));
    assertOneRequest(() -> client.capturedColumns(orders));
    assertOneRequest(client::maxLsn);
    assertOneRequest(() -> client.mapEntry(max));
    assertOneRequest(() -> client.snapshotStamp(orders));
    assertOneRequest(() -> client.head(orders, start, HeadLimits.NONE));
    assertOneRequest(() -> client.head(orders, start, caps));
    assertOneRequest(() -> client.head(orders, max, HeadLimits.NONE));
    assertOneRequest(() -> client.clock(start, max));
    assertOneRequest(() -> client.startAt(orders, Instant.now()));
    assertOneRequest(() -> client.planChanges(orders, start, max, new TileLimits(4, 1)));
    assertOneRequest(
        () ->
            drain(
                OpenRows.of(
                    client.readChanges(
                        orders, ChangeRange.commits(start, max), ClientFixture.COLUMNS))));
    assertOneRequest(() -> client.keyExtents(orders, List.of(ClientFixture.ids(null, null))));
    assertOneRequest(() -> client.keyEnds(orders, SEEK.columns(), max));
    assertOneRequest(() -> client.countSlices(orders, GRID));
    assertOneRequest(() -> client.tableSize(orders));
    assertOneRequest(() -> client.seekKey(orders, SEEK));
    assertOneRequest(
        () ->
            drain(
                OpenRows.of(
                    client.readTable(
                        orders,
                        ClientFixture.COLUMNS,
                        TablePart.of(ClientFixture.ids(0L, 5L)),
                        max))));
    assertThat(server.requests()).extracting(Received::spid).hasSize(1);
  }

  @Test
  void idleStreamsOfADatabaseShareOnePollHoweverManyTheyAre() {
    fixture.commit("INSERT INTO dbo.orders (id, name) VALUES (1, N'a')");
    Lsn max = fixture.maxLsn();
    List<SqlServer> streams =
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    SqlServers.connect(
                        StreamOptions.parse(fixture.options("numPartitions", "" + (i % 3 + 1)))
                            .source(),
                        Duration.ofMinutes(1)))
            .toList();
    server.clearRequests();

    // it has no interval, so it asks; they find what it was told
    fixture.client.head(orders, max, HeadLimits.NONE);
    for (int poll = 0; poll < 5; poll++) {
      streams.forEach(stream -> stream.head(orders, max, HeadLimits.NONE));
    }

    assertThat(server.requests()).extracting(Received::sql).hasSize(1);
  }

  @Test
  void onlyAHeadOfTimesInAnHourThatRepeatsAsksOnceMore() {
    SqlServer client =
        fixture.connect(database.user(), database.password(), "sourceTimeZone", "America/New_York");
    Lsn max = fixture.maxLsn();
    database.run(
        "INSERT INTO cdc.lsn_time_mapping (start_lsn, tran_begin_time, tran_end_time, tran_id)"
            + " VALUES (0x0000FFFF000000010001, NULL, '2025-11-02T01:30:00', 0x00)");
    server.clearRequests();

    client.head(orders, max, HeadLimits.NONE);

    assertThat(server.requests()).extracting(Received::sql).hasSize(2);
    assertThat(server.requests().get(1).sql()).contains("LAG(tran_end_time)");
  }

  @Test
  void lockTimeoutAndIsolationRideInFrontOfReadsOfTheTableOnly() {
    SqlServer client =
        fixture.connect(
            database.user(),
            database.password(),
            "lockTimeoutMs",
            "1500",
            "isolationLevel",
            "snapshot");
    database.run("ALTER DATABASE [" + database.name() + "] SET ALLOW_SNAPSHOT_ISOLATION ON");
    server.clearRequests();

    drain(OpenRows.of(client.readTable(orders, ClientFixture.COLUMNS, TablePart.WHOLE, null)));
    client.keyExtents(orders, List.of(ClientFixture.ids(null, null)));
    client.seekKey(orders, SEEK);
    client.keyEnds(orders, SEEK.columns(), null);
    client.countSlices(orders, GRID);
    client.maxLsn();
    client.head(orders, fixture.maxLsn(), HeadLimits.NONE);

    List<String> sent = server.requests().stream().map(Received::sql).toList();
    assertThat(sent.subList(0, 5))
        .allSatisfy(
            sql ->
                assertThat(sql)
                    .startsWith(
                        "SET LOCK_TIMEOUT 1500;\nSET TRANSACTION ISOLATION LEVEL SNAPSHOT;\n"));
    assertThat(sent.subList(5, sent.size()))
        .isNotEmpty()
        .noneMatch(sql -> sql.contains("LOCK_TIMEOUT"));
  }

  private void assertOneRequest(Runnable call) {
    server.clearRequests();
    call.run();
    assertThat(server.requests()).extracting(Received::sql).hasSize(1);
  }

  private static void drain(OpenRows cursor) {
    try (cursor) {
      while (cursor.next()) {
        assertThat(cursor.row()).isNotNull();
      }
      cursor.tail();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
