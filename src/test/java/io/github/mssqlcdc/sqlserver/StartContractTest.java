package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.ClientFixture.Change;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where the commits from a time on begin. */
class StartContractTest {
  private final ClientFixture fixture = new ClientFixture();
  private final CaptureInstance orders = fixture.orders();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aTimeBetweenTwoCommitsStartsAtTheSecond() throws SQLException {
    fixture.commit(insert(1));
    // times count to the second
    fixture.database.run("WAITFOR DELAY '00:00:01.1'");
    Instant between = now();
    fixture.commit(insert(2), insert(3));

    StartPosition start = fixture.client.startAt(orders, between);

    assertThat(start.entry()).isNull();
    assertThat(from(start)).containsExactly("2 2 x", "2 3 x");
  }

  @Test
  void aTimeAfterTheNewestCommitStartsAtMaxLsn() throws SQLException {
    fixture.commit(insert(1));
    fixture.database.run("WAITFOR DELAY '00:00:01.1'");
    Instant later = now();

    StartPosition start = fixture.client.startAt(orders, later);

    assertThat(start.after()).isEqualTo(fixture.maxLsn());
    assertThat(start.entry()).isEqualTo(fixture.client.mapEntry(fixture.maxLsn()).orElseThrow());
    fixture.commit(insert(2));
    assertThat(from(start)).containsExactly("2 2 x");
  }

  @Test
  void aTimeBeforeTheInstanceIsNotCoveredByIt() {
    assertThatThrownBy(() -> fixture.client.startAt(orders, Instant.parse("2001-01-01T00:00:00Z")))
        .isInstanceOf(DataLossException.class)
        .hasMessageStartingWith(
            "Cannot start capture instance 'dbo_orders' at the time that option"
                + " 'startingTimestamp' asks for: its changes are there from ")
        .hasMessageContaining("Z (min LSN " + orders.startLsn() + ") on.")
        .hasMessageContaining("The instance was created then")
        .hasMessageContaining("Set 'startingLsn' to earliest");
    assertThatThrownBy(() -> fixture.client.startAt(orders, Instant.MIN))
        .isInstanceOf(DataLossException.class);
  }

  @Test
  void aTimeInTheFutureOfTheServersClockIsRefused() {
    Instant future = now().plus(1, ChronoUnit.HOURS);

    assertThatThrownBy(() -> fixture.client.startAt(orders, future))
        .isInstanceOfSatisfying(
            InvalidRequestException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION))
        .hasMessageContaining("of option 'startingTimestamp': it is in the future");
    assertThatThrownBy(
            () -> fixture.client.startAt(orders, Instant.parse("+12000-01-01T00:00:00Z")))
        .hasMessageStartingWith("Invalid value '+12000-01-01T00:00:00Z' of option");
    assertThatThrownBy(() -> fixture.client.startAt(orders, Instant.MAX))
        .isInstanceOf(InvalidRequestException.class);
  }

  private List<String> from(StartPosition start) throws SQLException {
    Lsn max = fixture.maxLsn();
    return fixture.changes(orders, ChangeRange.commits(start.after(), max)).stream()
        .map(Change::text)
        .toList();
  }

  private Instant now() {
    String sql = "SELECT CONVERT(varchar(23), SYSUTCDATETIME(), 126)";
    String time = fixture.database.query(sql).get(0).get(0).toString();
    return LocalDateTime.parse(time).toInstant(ZoneOffset.UTC);
  }

  private static String insert(int id) {
    return "INSERT INTO dbo.orders (id, name) VALUES (" + id + ", N'x')";
  }
}
