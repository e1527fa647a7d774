package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.ChangePlan.Tile;
import io.github.mssqlcdc.sqlserver.ClientFixture.Change;
import io.github.mssqlcdc.testkit.source.OpenRows;
import io.github.mssqlcdc.type.SelectColumn;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Planning and reading changes, and the table itself. */
class ReadContractTest {
  private final ClientFixture fixture = new ClientFixture();
  private final CaptureInstance orders = fixture.orders();
  private final Lsn start = ClientFixture.start(orders);

  @BeforeEach
  void change() {
    fixture.commit(
        "INSERT INTO dbo.orders (id, name) VALUES (1, N'a'), (2, N'b'), (3, N'c')",
        "UPDATE dbo.orders SET name = N'B' WHERE id = 2",
        "BEGIN TRAN; UPDATE dbo.orders SET id = 9 WHERE id = 3;"
            + " UPDATE dbo.orders SET name = name + N'!' WHERE id < 9;"
            + " DELETE FROM dbo.orders WHERE id = 1; COMMIT TRAN");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void changesComeInCommitAndStatementOrder() throws SQLException {
    List<Change> changes = all();

    assertThat(changes)
        .extracting(Change::text)
        .containsExactly(
            "2 1 a", "2 2 b", "2 3 c", "3 2 b", "4 2 B", "1 3 c", "2 9 c", "3 1 a", "4 1 a!",
            "3 2 B", "4 2 B!", "1 1 a!");
    assertThat(changes).extracting(Change::position).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void theUpdateMaskStandsWhereItIsAskedFor() throws SQLException {
    ChangeRange all = ChangeRange.commits(start, fixture.maxLsn());
    List<String> masks = new ArrayList<>();
    try (OpenRows cursor =
        OpenRows.of(
            fixture.client.readChanges(
                orders, all, SelectColumn.plain(List.of(SqlServer.UPDATE_MASK, "id"))))) {
      while (cursor.next()) {
        String mask = HexFormat.of().formatHex(cursor.row().getBytes(6));
        masks.add(cursor.row().getInt(4) + " " + cursor.row().getInt(7) + " " + mask);
      }
      var unused = cursor.tail();
    }

    // columns id and name: bits 1 and 2
    assertThat(masks)
        .containsExactly(
            "2 1 03", "2 2 03", "2 3 03", "3 2 02", "4 2 02", "1 3 03", "2 9 03", "3 1 02",
            "4 1 02", "3 2 02", "4 2 02", "1 1 03");
  }

  @Test
  void everyPositionCutsTheChangesInTwoWithoutLossOrDouble() throws SQLException {
    List<Change> all = all();
    Lsn max = fixture.maxLsn();

    for (int i = 1; i < all.size(); i++) {
      ChangePosition cut = all.get(i).position();
      List<Change> parts =
          new ArrayList<>(fixture.changes(orders, new ChangeRange(start, null, cut.commit(), cut)));
      assertThat(parts).as("rows before %s", cut).hasSize(i);
      parts.addAll(
          fixture.changes(orders, new ChangeRange(cut.commit().previous(), cut, max, null)));
      assertThat(parts).isEqualTo(all);
    }
  }

  @Test
  void aReadThatBreaksGoesOnAfterEachRow() throws SQLException {
    List<Change> all = all();
    ChangePosition before = all.get(10).position();

    assertThat(overBreaks(ChangeRange.commits(start, fixture.maxLsn()))).isEqualTo(all);
    assertThat(overBreaks(new ChangeRange(start, null, before.commit(), before)))
        .isEqualTo(all.subList(0, 10));
  }

  private List<Change> overBreaks(ChangeRange range) {
    return OpenRows.overBreaks(
        fixture.client.readChanges(orders, range, ClientFixture.COLUMNS), Change::of);
  }

  @Test
  void aRangeInsideOneCommitIsCutAtBothEnds() throws SQLException {
    List<Change> all = all();
    ChangePosition from = all.get(6).position();
    ChangePosition before = all.get(10).position();

    assertThat(
            fixture.changes(
                orders, new ChangeRange(from.commit().previous(), from, before.commit(), before)))
        .isEqualTo(all.subList(6, 10));
  }

  @Test
  void rowsWithoutCommandIdsComeFirstInTheirCommit() throws SQLException {
    // a database upgraded from before SQL Server kept them has such rows
    fixture.database.run(
        "UPDATE cdc.dbo_orders_CT SET [__$command_id] = NULL WHERE [__$operation] = 3");
    List<Change> all = all();

    assertThat(all).extracting(Change::position).isSorted();
    everyPositionCutsTheChangesInTwoWithoutLossOrDouble();
  }

  @Test
  void theTailTellsTheMarksAfterTheRows() throws SQLException {
    try (OpenRows cursor =
        OpenRows.of(
            fixture.client.readChanges(
                orders, ChangeRange.commits(start, fixture.maxLsn()), List.of()))) {
      while (cursor.next()) {
        assertThat(cursor.row().getTimestamp(5)).isNotNull();
      }
      RowCursor.Tail tail = cursor.tail();

      assertThat(tail.minLsn()).isEqualTo(orders.startLsn());
      assertThat(tail.maxLsn()).isEqualTo(fixture.maxLsn());
      assertThat(tail.networkWaitMs()).isNotNegative();
    }
  }

  @Test
  void aRangeAboveMaxLsnFailsBeforeItsFirstRow() {
    Lsn above = fixture.maxLsn().next();

    assertThatThrownBy(() -> fixture.changes(orders, ChangeRange.commits(start, above)))
        .isInstanceOf(SourceBehindException.class)
        .hasMessageContaining("up to " + above);
  }

  @Test
  void tilesCoverTheChangesInAboutEqualParts() throws SQLException {
    List<Change> all = all();

    for (int tiles = 1; tiles <= all.size() + 2; tiles++) {
      ChangePlan plan =
          fixture.client.planChanges(orders, start, fixture.maxLsn(), new TileLimits(tiles, 1));
      assertThat(plan.tiles()).hasSizeBetween(1, tiles);
      int row = 0;
      for (Tile tile : plan.tiles()) {
        assertThat(tile.first()).isEqualTo(all.get(row).position());
        row += (int) tile.rows();
      }
      assertThat(row).isEqualTo(all.size());
    }
  }

  @Test
  void aPlanTellsTheMarks() {
    Lsn max = fixture.maxLsn();

    ChangePlan plan = fixture.client.planChanges(orders, max, max, new TileLimits(3, 1));

    assertThat(plan.tiles()).isEmpty();
    assertThat(plan.maxLsn()).isEqualTo(max);
    assertThat(plan.minLsn()).isEqualTo(orders.startLsn());
    MapEntry newest = fixture.client.mapEntry(max).orElseThrow();
    assertThat(plan.startAt()).isEqualTo(newest.at());
    assertThat(plan.clock().newest()).isEqualTo(newest.at());
    assertThat(plan.clock().retention()).isNotNull().isBeforeOrEqualTo(newest.at());
    assertThat(plan.clock().now()).isAfterOrEqualTo(newest.at());
  }

  @Test
  void theTableIsReadInSlicesOfItsKey() throws SQLException {
    fixture.commit("INSERT INTO dbo.orders (id, name) VALUES (-5, NULL), (100, N'z')");

    assertThat(fixture.client.keyExtents(orders, List.of(ClientFixture.ids(null, null))))
        .containsExactly(new KeyExtent(-5, 100));
    assertThat(
            fixture.client.keyExtents(
                orders,
                List.of(
                    ClientFixture.ids(99L, null),
                    ClientFixture.ids(null, 0L),
                    ClientFixture.ids(50L, 60L))))
        .containsExactly(new KeyExtent(-5, -5), new KeyExtent(100, 100));
    assertThat(table(null)).containsExactlyInAnyOrder("-5 null", "2 B!", "9 c", "100 z");
    assertThat(table(ClientFixture.ids(null, 9L))).containsExactlyInAnyOrder("-5 null", "2 B!");
    assertThat(table(ClientFixture.ids(9L, 100L))).containsExactly("9 c");
    assertThat(table(ClientFixture.ids(100L, null))).containsExactly("100 z");
  }

  @Test
  void anEmptyTableHasNoKeyExtent() {
    fixture.commit("DELETE FROM dbo.orders");

    assertThat(fixture.client.keyExtents(orders, List.of(ClientFixture.ids(null, null)))).isEmpty();
  }

  @Test
  void aTableIsNotReadFromAServerBehindItsStamp() {
    assertThatThrownBy(
            () ->
                OpenRows.of(
                    fixture.client.readTable(
                        orders, ClientFixture.COLUMNS, TablePart.WHOLE, fixture.maxLsn().next())))
        .isInstanceOf(SourceBehindException.class);
  }

  @Test
  void rowsAreCountedWithoutAColumn() throws SQLException {
    try (OpenRows cursor =
        OpenRows.of(fixture.client.readTable(orders, List.of(), TablePart.WHOLE, null))) {
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.next()).isFalse();
    }
  }

  private List<Change> all() throws SQLException {
    return fixture.changes(orders, ChangeRange.commits(start, fixture.maxLsn()));
  }

  private List<String> table(@Nullable KeyRange range) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (OpenRows cursor =
        OpenRows.of(
            fixture.client.readTable(
                orders, ClientFixture.COLUMNS, TablePart.of(range), fixture.maxLsn()))) {
      while (cursor.next()) {
        rows.add(cursor.row().getInt(1) + " " + cursor.row().getString(2));
      }
      assertThat(cursor.tail().maxLsn()).isEqualTo(fixture.maxLsn());
    }
    return rows;
  }
}
