package io.github.mssqlcdc.sqlserver;

import static io.github.mssqlcdc.sqlserver.ScriptedServer.error;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.testkit.source.OpenRows;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.type.SelectColumn;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users read when the server, or the driver, says no. */
@Timeout(120)
class ServerErrorsTest {
  private static final CaptureInstance ORDERS =
      new CaptureInstance(
          "dbo_orders", "dbo", "orders", 1, 2, null, LocalDateTime.MIN, List.of("id"));

  private static final List<SelectColumn> ID = SelectColumn.plain(List.of("id"));

  private final ScriptedServer server = new ScriptedServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void aLockThatIsNotGrantedIsTriedAgainAndThenToldWithItsTable() {
    server.on("FROM [dbo].[orders]", error(1222, 16, "Lock request time out period exceeded."));

    assertThatThrownBy(
            () ->
                OpenRows.of(
                    connect("lockTimeoutMs", "1500").readTable(ORDERS, ID, TablePart.WHOLE, null)))
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Failed to read table [dbo].[orders]: Lock request time out")
        .hasMessageContaining("(error 1222; server localhost:")
        .hasMessageContaining("'lockTimeoutMs' allows, on each attempt: raise it or leave it out");
    assertThat(server.requests)
        .hasSize(4)
        .allMatch(sql -> sql.startsWith("SET LOCK_TIMEOUT 1500;\nSET TRANSACTION ISOLATION"));
  }

  @Test
  void aVictimOfADeadlockIsSentAgain() {
    server.on(
        "OFFSET",
        error(1205, 13, "Transaction was deadlocked on lock resources with another process"),
        ScriptedServer.row(List.of(DataType.of(SqlTypeName.INT)), 17));

    KeySeek seek = new KeySeek(ClientFixture.ids(null, null).columns(), List.of(), null, 1);

    assertThat(connect().seekKey(ORDERS, seek)).contains(KeyBound.of("17"));
    assertThat(server.requests).hasSize(2);
  }

  @Test
  void aSizeThatCannotBeToldIsNoFailure() {
    List<DataType> texts = Collections.nCopies(6, DataType.of(SqlTypeName.VARCHAR, 20));
    server.on(
        "sp_spaceused",
        ScriptedServer.row(
            texts, "orders", "1200                ", "9 KB", "800 KB", "1 KB", "0 KB"),
        ScriptedServer.row(texts, "orders", "many", "9 KB", "800 KB", "1 KB", "0 KB"),
        error(229, 14, "The EXECUTE permission was denied on the object 'sp_spaceused'"));
    SqlServer client = connect();

    assertThat(client.tableSize(ORDERS)).contains(new TableSize(1200, 800 * 1024));
    assertThat(client.tableSize(ORDERS)).isEmpty();
    assertThat(client.tableSize(ORDERS)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {3951, 3960, 3961})
  void aSnapshotThatMeetsDdlSaysHowToGoOn(int number) {
    server.on("FROM [dbo].[orders]", error(number, 16, "Snapshot isolation transaction failed"));

    assertThatThrownBy(() -> OpenRows.of(connect().readTable(ORDERS, ID, TablePart.WHOLE, null)))
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Failed to read table [dbo].[orders]: Snapshot isolation")
        .hasMessageContaining("(error " + number + "; ")
        .hasMessageContaining("read again when the table isn't being altered");
  }

  @Test
  void aDriverPropertyThatTheDriverDoesNotKnowIsRefused() {
    assertThatThrownBy(() -> connect("jdbc.encript", "strict"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "Unknown driver property 'jdbc.encript': did you mean 'jdbc.encrypt'?");
    assertThat(connect("jdbc.ACCESSTOKEN", "x", "jdbc.packetSize", "16000")).isNotNull();
  }

  private SqlServer connect(String... namesAndValues) {
    return TestClients.connect(server, Duration.ZERO, namesAndValues);
  }
}
