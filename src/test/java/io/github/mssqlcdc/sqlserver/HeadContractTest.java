package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What follows a position, and the LSN map. */
class HeadContractTest {
  private final ClientFixture fixture = new ClientFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void anUncappedHeadEndsAtMaxLsn() {
    CaptureInstance orders = fixture.orders();
    fixture.commit(insert(1, 1), insert(2, 1));

    Head head = fixture.client.head(orders, ClientFixture.start(orders), HeadLimits.NONE);

    assertThat(head.maxLsn()).isEqualTo(fixture.maxLsn());
    assertThat(end(head)).isEqualTo(fixture.maxLsn());
    assertThat(entry(head)).isEqualTo(fixture.client.mapEntry(fixture.maxLsn()).orElseThrow());
    assertThat(head.hasRows()).isTrue();
    assertThat(head.cut()).isFalse();
  }

  @Test
  void nothingFollowsMaxLsn() {
    CaptureInstance orders = fixture.orders();
    fixture.commit(insert(1, 1));

    Head head = fixture.client.head(orders, fixture.maxLsn(), HeadLimits.NONE);

    assertThat(head.end()).isNull();
    assertThat(head.hasRows()).isFalse();
    assertThat(head.cut()).isFalse();
  }

  @Test
  void commitsOfOtherTablesMoveTheEndWithoutRows() {
    CaptureInstance orders = fixture.orders();
    Lsn before = fixture.maxLsn();
    fixture.commit(
        "CREATE TABLE dbo.other (id int NOT NULL PRIMARY KEY)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'other',"
            + " @role_name = NULL",
        "INSERT INTO dbo.other (id) VALUES (1)");

    Head head = fixture.client.head(orders, before, HeadLimits.NONE);

    assertThat(end(head)).isEqualTo(fixture.maxLsn());
    assertThat(head.hasRows()).isFalse();
  }

  @Test
  void aCapOnCommitsCountsEntriesOfTheMap() throws SQLException {
    CaptureInstance orders = fixture.orders();
    Lsn start = fixture.maxLsn();
    for (int i = 0; i < 10; i++) {
      fixture.database.run(insert(10 * i, 1));
    }
    fixture.database.awaitCapture();

    assertThat(batches(orders, start, null, 3L)).containsExactly(3, 3, 3, 1);
  }

  @Test
  void aCapOnRowsTakesWholeCommitsAndAtLeastOne() throws SQLException {
    CaptureInstance orders = fixture.orders();
    Lsn start = fixture.maxLsn();
    for (int rows : List.of(2, 2, 5, 1, 3, 1)) {
      fixture.database.run(
          insert(fixture.database.query("SELECT id FROM dbo.orders").size(), rows));
    }
    fixture.database.awaitCapture();

    assertThat(batches(orders, start, 4L, null)).containsExactly(4, 5, 4, 1);
    assertThat(batches(orders, start, 1L, null)).containsExactly(2, 2, 5, 1, 3, 1);
    assertThat(batches(orders, start, 14L, null)).containsExactly(14);
    assertThat(batches(orders, start, 13L, 3L)).containsExactly(9, 5);
  }

  @Test
  void aTargetIsNotPassed() {
    CaptureInstance orders = fixture.orders();
    fixture.commit(insert(1, 1));
    Lsn target = fixture.maxLsn();
    fixture.commit(insert(2, 1));

    Head head =
        fixture.client.head(
            orders, ClientFixture.start(orders), new HeadLimits(target, null, null));

    assertThat(end(head)).isEqualTo(target);
    assertThat(head.cut()).isTrue();
  }

  @Test
  void anEntryIsFoundAtItsLsnOnly() {
    fixture.commit(insert(1, 1));
    Lsn max = fixture.maxLsn();

    assertThat(fixture.client.mapEntry(max)).map(MapEntry::lsn).contains(max);
    assertThat(fixture.client.mapEntry(max.previous())).isEmpty();
  }

  @Test
  void aStampIsMaxLsnWithItsTime() {
    CaptureInstance orders = fixture.orders();
    fixture.commit(insert(1, 1));
    Lsn max = fixture.maxLsn();

    SnapshotStamp stamp = fixture.client.snapshotStamp(orders);

    assertThat(stamp.lsn()).isEqualTo(max);
    assertThat(stamp.maxLsn()).isEqualTo(max);
    assertThat(stamp.entry()).isEqualTo(fixture.client.mapEntry(max).orElseThrow());
    assertThat(stamp.minLsn()).isEqualTo(orders.startLsn());
  }

  /** Rows per batch until nothing follows; of batches that have some. */
  private List<Integer> batches(
      CaptureInstance instance, Lsn start, @Nullable Long maxRows, @Nullable Long maxCommits)
      throws SQLException {
    List<Integer> rows = new ArrayList<>();
    HeadLimits limits = new HeadLimits(null, maxCommits, maxRows);
    Lsn after = start;
    while (true) {
      Head head = fixture.client.head(instance, after, limits);
      if (head.end() == null) {
        return rows;
      }
      Lsn end = end(head);
      if (head.hasRows()) {
        rows.add(fixture.changes(instance, ChangeRange.commits(after, end)).size());
      }
      after = end;
    }
  }

  private static Lsn end(Head head) {
    return entry(head).lsn();
  }

  private static MapEntry entry(Head head) {
    return Objects.requireNonNull(head.end()).entry();
  }

  private static String insert(int firstId, int rows) {
    StringBuilder sql = new StringBuilder("INSERT INTO dbo.orders (id, name) VALUES ");
    for (int i = 0; i < rows; i++) {
      sql.append(i == 0 ? "" : ", ").append("(").append(firstId + i).append(", N'x')");
    }
    return sql.toString();
  }
}
