package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.ClientFixture.Change;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What LSNs say of the order of commits. */
class LsnContractTest {
  private final ClientFixture fixture = new ClientFixture();
  private final CaptureInstance orders = fixture.orders();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void lsnsOrderCommitsAndNotTheirBegins() throws SQLException {
    try (Connection open = fixture.database.connect();
        Statement statement = open.createStatement()) {
      open.setAutoCommit(false);
      statement.execute(insert(1, 1));
      fixture.database.run(insert(2, 1), insert(3, 1));
      open.commit();
    }
    fixture.database.awaitCapture();

    List<Change> changes = all();

    assertThat(changes).extracting(Change::id).containsExactly(2, 3, 1);
    assertThat(changes).extracting(change -> change.position().commit()).isSorted();
  }

  @Test
  void statementsOfATransactionAreInOrderByTheirCommandIds() throws SQLException {
    fixture.commit(
        "BEGIN TRAN; INSERT INTO dbo.orders VALUES (1, N'a'); UPDATE dbo.orders SET name = N'b';"
            + " UPDATE dbo.orders SET name = N'c'; DELETE FROM dbo.orders; COMMIT");

    List<Change> changes = all();

    assertThat(changes)
        .extracting(change -> change.position().operation())
        .containsExactly(2, 3, 4, 3, 4, 1);
    assertThat(changes).extracting(change -> change.position().commandId()).isSorted();
    assertThat(changes)
        .extracting(change -> change.position().commit())
        .containsOnly(changes.get(0).position().commit());
  }

  @Test
  void neighboursAreTheServersOwn() {
    fixture.commit(insert(1, 1), insert(2, 1));
    Lsn max = max();

    assertThat(function("increment", max)).isEqualTo(max.next());
    assertThat(function("decrement", max)).isEqualTo(max.previous());
    assertThat(fixture.client.mapEntry(max)).isPresent();
    assertThat(fixture.client.mapEntry(max.next())).isEmpty();
    assertThat(fixture.client.mapEntry(max.previous())).isEmpty();
    // a carry into the higher bytes
    Lsn atTheEdge = Lsn.parse("0x00000026000005F0FFFF");
    assertThat(function("increment", atTheEdge)).isEqualTo(atTheEdge.next());
    assertThat(function("decrement", atTheEdge.next())).isEqualTo(atTheEdge);
  }

  @Test
  void oneHistoryIsToldTheSameByEveryCall() throws SQLException {
    Lsn start = max();
    List<Integer> sizes = List.of(2, 2, 5, 1, 3, 1);
    for (int i = 0; i < sizes.size(); i++) {
      fixture.database.run(insert(10 * i, sizes.get(i)));
    }
    fixture.database.awaitCapture();
    List<Change> changes = fixture.changes(orders, ChangeRange.commits(start, max()));
    List<Lsn> commits =
        changes.stream().map(change -> change.position().commit()).distinct().toList();

    assertThat(commits).hasSize(sizes.size());
    for (int n = 1; n <= commits.size(); n++) {
      HeadLimits limits = new HeadLimits(null, (long) n, null);
      MapEntry end =
          Objects.requireNonNull(fixture.client.head(orders, start, limits).end()).entry();
      assertThat(end.lsn()).as("commit %s", n).isEqualTo(commits.get(n - 1));
      assertThat(fixture.client.mapEntry(end.lsn())).contains(end);
      assertThat(mapTime(end.lsn())).isEqualTo(end.at());
    }
    for (int tiles : List.of(1, 2, 3, changes.size(), changes.size() + 3)) {
      ChangePlan plan = fixture.client.planChanges(orders, start, max(), new TileLimits(tiles, 1));
      List<Integer> firsts = new ArrayList<>();
      int row = 0;
      for (ChangePlan.Tile tile : plan.tiles()) {
        firsts.add(changes.get(row).id());
        assertThat(tile.first()).isEqualTo(changes.get(row).position());
        row += (int) tile.rows();
      }
      assertThat(row).isEqualTo(changes.size());
      assertThat(firsts).as("%s tiles", tiles).hasSize(Math.min(tiles, changes.size()));
    }
  }

  @Test
  void cleanupMovesMinLsnAndLeavesWhatIsAboveIt() throws SQLException {
    for (int i = 0; i < 4; i++) {
      fixture.database.run(insert(i, 1));
    }
    fixture.database.awaitCapture();
    List<Change> before = all();
    Lsn asked = before.get(2).position().commit();
    // the server takes the smallest LSN of the same time
    Lsn mark =
        lsn(
            "SELECT MIN(start_lsn) FROM cdc.lsn_time_mapping WHERE tran_end_time = (SELECT"
                + " tran_end_time FROM cdc.lsn_time_mapping WHERE start_lsn = "
                + asked
                + ")");
    fixture.database.run(
        "EXEC sys.sp_cdc_cleanup_change_table @capture_instance = N'dbo_orders', @low_water_mark = "
            + asked
            + ", @threshold = 5000");

    List<Change> left =
        before.stream().filter(change -> !change.position().commit().isBefore(mark)).toList();
    assertThat(fixture.orders().startLsn()).isEqualTo(mark);
    assertThat(left).hasSizeGreaterThanOrEqualTo(2);
    assertThat(fixture.changes(orders, ChangeRange.commits(mark.previous(), max())))
        .isEqualTo(left);
    assertThat(all()).isEqualTo(left);
  }

  @Test
  void maxLsnMovesOnTheSamePooledConnection() {
    fixture.commit(insert(1, 1));
    Lsn first = max();
    fixture.commit(insert(2, 1));

    assertThat(max()).isGreaterThan(first);
    assertThat(fixture.database.query("SELECT sys.fn_cdc_get_max_lsn()").get(0).get(0))
        .isEqualTo(max().bytes());
  }

  private List<Change> all() throws SQLException {
    return fixture.changes(orders, ChangeRange.commits(ClientFixture.start(orders), max()));
  }

  private Lsn max() {
    return fixture.maxLsn();
  }

  private Lsn function(String name, Lsn lsn) {
    return lsn("SELECT sys.fn_cdc_" + name + "_lsn(" + lsn + ")");
  }

  private Lsn lsn(String sql) {
    return Lsn.of((byte[]) fixture.database.query(sql).get(0).get(0));
  }

  private LocalDateTime mapTime(Lsn lsn) {
    String sql = "SELECT CONVERT(varchar(23), sys.fn_cdc_map_lsn_to_time(" + lsn + "), 126)";
    return LocalDateTime.parse(fixture.database.query(sql).get(0).get(0).toString());
  }

  private static String insert(int firstId, int rows) {
    StringBuilder sql = new StringBuilder("INSERT INTO dbo.orders (id, name) VALUES ");
    for (int i = 0; i < rows; i++) {
      sql.append(i == 0 ? "" : ", ").append("(").append(firstId + i).append(", N'x')");
    }
    return sql.toString();
  }
}
