package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.ChangePlan;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServers;
import io.github.mssqlcdc.sqlserver.TileLimits;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.source.OpenRows;
import io.github.mssqlcdc.type.SelectColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges planned and read by the server, over random changes. */
class RangesContractTest {
  private static final int COMMITS = 14;

  private final TestDatabase database = TestDatabases.create();
  private final SqlServer server;
  private final CaptureInstance instance;
  private final Lsn start;
  private int keyUpdates;

  RangesContractTest() {
    database.run(
        "CREATE TABLE dbo.t (id int NOT NULL PRIMARY KEY, v int NOT NULL)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N't',"
            + " @role_name = NULL");
    database.awaitCapture();
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_t");
    server = SqlServers.connect(StreamOptions.parse(options).source(), Duration.ZERO);
    instance = server.captureInstance("dbo_t");
    start = Objects.requireNonNull(instance.startLsn()).previous();
  }

  @AfterEach
  void close() {
    database.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void rangesGiveTheChangeTableOnceInOrderAndAboutEqualParts(long seed) throws SQLException {
    change(new Random(seed));
    List<Change> all = read(ChangeRange.commits(start, max()));
    assertThat(all).hasSizeGreaterThan(200);
    assertThat(all).extracting(Change::position).isSorted().doesNotHaveDuplicates();

    for (int most : List.of(2, 3, 7, 16)) {
      List<List<Change>> read = new ArrayList<>();
      for (ChangeRange range : plan(start, max(), most, 20)) {
        read.add(read(range));
      }
      assertThat(read)
          .as("%s ranges, seed %s", most, seed)
          .hasSize(Math.min(most, all.size() / 20));
      assertThat(read.stream().flatMap(List::stream)).isEqualTo(all);
      List<Integer> sizes = read.stream().map(List::size).toList();
      assertThat(Collections.max(sizes) - Collections.min(sizes)).isLessThanOrEqualTo(1);
    }
    assertThat(plan(start, max(), 16, all.size())).hasSize(1);
  }

  @Test
  void commitsOfBeforeAnUpgradeAreReadWhole() throws SQLException {
    change(new Random(3));
    List<Change> all = read(ChangeRange.commits(start, max()));
    Lsn upgrade = all.get(all.size() / 2).position().commit();
    // what the update that brings the column leaves
    database.run(
        "UPDATE cdc.dbo_t_CT SET [__$command_id] = NULL WHERE [__$start_lsn] <= " + upgrade);
    all = read(ChangeRange.commits(start, max()));

    List<ChangeRange> ranges = plan(start, max(), 9, 20);
    List<Change> read = new ArrayList<>();
    for (ChangeRange range : ranges) {
      List<Change> part = read(range);
      assertThat(part).hasSizeGreaterThanOrEqualTo(20);
      read.addAll(part);
    }

    assertThat(read).isEqualTo(all);
    assertThat(ranges)
        .anySatisfy(range -> assertThat(range.from()).isNull())
        .anySatisfy(range -> assertThat(range.from()).isNotNull())
        .filteredOn(range -> range.from() != null)
        .allSatisfy(
            range ->
                assertThat(Objects.requireNonNull(range.from()).commit().isAfter(upgrade))
                    .isTrue());
  }

  @Test
  void aReplayPlansTheSameRangesWhateverCameOrWentMeanwhile() throws SQLException {
    Random random = new Random(4);
    change(random);
    Lsn end = max();
    Lsn from = read(ChangeRange.commits(start, end)).get(40).position().commit();
    List<ChangeRange> planned = plan(from, end, 5, 20);
    assertThat(planned).hasSize(5);

    change(random);
    assertThat(plan(from, end, 5, 20)).isEqualTo(planned);

    database.run(
        "EXEC sys.sp_cdc_cleanup_change_table @capture_instance = N'dbo_t', @low_water_mark = "
            + from
            + ", @threshold = 5000");
    assertThat(server.planChanges(instance, from, end, new TileLimits(5, 20)).minLsn())
        .isGreaterThan(start.next());
    assertThat(plan(from, end, 5, 20)).isEqualTo(planned);
  }

  /**
   * Inserts, updates, updates of the key and deletes, of one row or many, in commits of several.
   */
  private void change(Random random) {
    database.run(insert("BETWEEN 1 AND 200"));
    for (int i = 0; i < COMMITS; i++) {
      StringBuilder commit = new StringBuilder("BEGIN TRAN; ");
      for (int j = random.nextInt(3); j >= 0; j--) {
        commit.append(statement(random)).append("; ");
      }
      database.run(commit + "COMMIT");
    }
    database.awaitCapture();
  }

  private String statement(Random random) {
    int low = random.nextInt(1_000);
    int high = low + (random.nextInt(3) == 0 ? 400 : 20);
    String rows = " BETWEEN " + low + " AND " + high;
    return switch (random.nextInt(5)) {
      case 0 -> "UPDATE dbo.t SET v = v + 1 WHERE id" + rows;
      case 1 -> "UPDATE dbo.t SET id = id + " + 1_000 * ++keyUpdates + " WHERE id" + rows;
      case 2 -> "DELETE FROM dbo.t WHERE id" + rows;
      default -> insert(rows);
    };
  }

  private static String insert(String ids) {
    return "INSERT INTO dbo.t SELECT n.id, 0 FROM (SELECT a.d + 10 * b.d + 100 * c.d AS id FROM"
        + digits("a")
        + " CROSS JOIN"
        + digits("b")
        + " CROSS JOIN"
        + digits("c")
        + ") AS n WHERE n.id "
        + ids
        + " AND NOT EXISTS (SELECT 1 FROM dbo.t AS o WHERE o.id = n.id)";
  }

  private static String digits(String alias) {
    return " (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS " + alias + "(d)";
  }

  private Lsn max() {
    return server.maxLsn().orElseThrow();
  }

  private List<ChangeRange> plan(Lsn after, Lsn through, int most, long floor) {
    ChangePlan plan = server.planChanges(instance, after, through, new TileLimits(most, floor));
    return new RangePlanner(floor).plan(after, through, plan.tiles());
  }

  private List<Change> read(ChangeRange range) throws SQLException {
    List<Change> changes = new ArrayList<>();
    try (OpenRows cursor =
        OpenRows.of(server.readChanges(instance, range, SelectColumn.plain(List.of("id", "v"))))) {
      while (cursor.next()) {
        changes.add(Change.of(cursor.row()));
      }
      var unused = cursor.tail();
    }
    return changes;
  }

  private record Change(ChangePosition position, int id, int v) {

    static Change of(ResultSet row) throws SQLException {
      int command = row.getInt(2);
      @Nullable Integer commandId = row.wasNull() ? null : (Integer) command;
      return new Change(
          new ChangePosition(
              Lsn.of(row.getBytes(1)), commandId, Lsn.of(row.getBytes(3)), row.getInt(4)),
          row.getInt(6),
          row.getInt(7));
    }
  }
}
