package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.connection.Retry;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.testkit.source.OpenRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LockTimeoutContractTest {
  private final ClientFixture fixture = new ClientFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aLockThatLastsIsToldWithTheTableAndAReadAfterItSucceeds() throws Exception {
    fixture.commit("INSERT INTO dbo.orders VALUES (1, N'a')");
    CaptureInstance orders = fixture.orders();
    SqlServer impatient =
        fixture.connect(
            fixture.database.user(), fixture.database.password(), "lockTimeoutMs", "20");

    try (Connection writer = fixture.database.connect();
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      statement.execute("UPDATE dbo.orders SET name = N'b'");
      assertThatThrownBy(
              () ->
                  OpenRows.of(
                      impatient.readTable(orders, ClientFixture.COLUMNS, TablePart.WHOLE, null)))
          .isInstanceOf(CdcException.class)
          .hasMessageStartingWith("Failed to read table [dbo].[orders]: ")
          .hasMessageContaining("error 1222");
      writer.rollback();
    }
    try (OpenRows rows =
        OpenRows.of(impatient.readTable(orders, ClientFixture.COLUMNS, TablePart.WHOLE, null))) {
      assertThat(rows.next()).isTrue();
    }
  }

  @Test
  void aBlockedStatementIsRepeatedAndGoesOnOnceTheLockIsGone() throws Exception {
    fixture.commit("INSERT INTO dbo.orders VALUES (1, N'a'), (2, N'b')");
    CaptureInstance orders = fixture.orders();
    KeyRange all = ClientFixture.ids(null, null);
    List<Function<SqlServer, Object>> calls =
        List.of(
            client -> client.keyExtents(orders, List.of(all)).get(0).max(),
            client -> client.keyEnds(orders, all.columns(), null).max() != null,
            client ->
                client.countSlices(orders, new SliceGrid(all.columns().get(0), 1, 2, 1)).size()
                    == 2,
            client ->
                client.seekKey(orders, new KeySeek(all.columns(), List.of(), null, 1)).isPresent(),
            client -> {
              try (OpenRows rows =
                  OpenRows.of(
                      client.readTable(orders, ClientFixture.COLUMNS, TablePart.WHOLE, null))) {
                return rows.next();
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    for (Function<SqlServer, Object> call : calls) {
      try (Connection writer = fixture.database.connect();
          Statement statement = writer.createStatement()) {
        writer.setAutoCommit(false);
        statement.execute("UPDATE dbo.orders SET name = N'c'");
        AtomicInteger retries = new AtomicInteger();
        SqlServer client = impatient(retry -> rolledBack(writer, retries));

        assertThat(call.apply(client)).isIn(2L, true);
        assertThat(retries).hasValue(1);
      }
    }
  }

  private SqlServer impatient(IntFunction<Duration> delay) {
    Map<String, String> options = new HashMap<>(fixture.database.options());
    options.putAll(Map.of("captureInstance", "dbo_orders", "lockTimeoutMs", "20"));
    return SqlServers.connect(
        StreamOptions.parse(options).source(),
        Duration.ZERO,
        new Retry(ErrorNumbers::mayPass, delay));
  }

  private static Duration rolledBack(Connection writer, AtomicInteger retries) {
    try {
      writer.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    retries.incrementAndGet();
    return Duration.ZERO;
  }
}
