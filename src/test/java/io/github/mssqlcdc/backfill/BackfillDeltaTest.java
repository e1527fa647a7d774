package io.github.mssqlcdc.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.chunk.SnapshotKey;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.metric.BackfillState;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.PlansTable;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.testkit.delta.ChangeRows;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import io.github.mssqlcdc.testkit.spark.DiskFaults;
import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.type.SqlType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Opens and backfills that die at files of Delta's; each into the same tables, under its own id.
 */
@Tag("spark")
final class BackfillDeltaTest {
  /** Every so many files; {@link BackfillCrashTest} dies at each step. */
  private static final int STRIDE = 17;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final FakeSqlServer server = new FakeSqlServer();

  private LakeTable table(String name) {
    return LakeTable.of(TestSession.get(), new DeltaTableRef(folder.resolve(name).toString()));
  }

  private PlansTable plans() {
    return PlansTable.open(table("bronze" + PlansTable.SUFFIX), Clock.systemUTC());
  }

  private BronzeTable bronze() {
    return new BronzeTable(table("bronze"), List.of("id"), List.of());
  }

  private BackfillSource source() {
    return new BackfillSource(
        server,
        server.captureInstance("dbo_orders"),
        new SnapshotKey(List.of(new KeyColumn("id", new SqlType("int", 0, 0, 0), null)), null),
        (stamp, maxLsn, chunks, connections, ledgerId) -> rows(stamp, chunks),
        position -> {},
        position -> Optional.empty(),
        Clock.systemUTC());
  }

  private Dataset<Row> rows(Offset stamp, List<ChunkBounds> chunks) {
    List<Row> rows =
        server.rows().entrySet().stream()
            .filter(row -> chunk(row, chunks) >= 0)
            .map(
                row ->
                    RowFactory.create(
                        "dbo_orders",
                        stamp.lsn().toString(),
                        null,
                        0,
                        null,
                        stamp.commitTs(),
                        row.getKey(),
                        row.getValue(),
                        chunk(row, chunks)))
            .toList();
    return TestSession.get()
        .createDataFrame(rows, ChangeRows.SCHEMA.add("_chunk", DataTypes.IntegerType));
  }

  private static int chunk(Map.Entry<Integer, String> row, List<ChunkBounds> chunks) {
    return chunks.stream()
        .filter(
            chunk ->
                (chunk.lo().equals(ChunkBounds.OPEN)
                        || row.getKey() >= Integer.parseInt(chunk.lo()))
                    && row.getKey() < Integer.parseInt(chunk.hi()))
        .mapToInt(ChunkBounds::chunk)
        .findFirst()
        .orElse(-1);
  }

  private void open(String appId) {
    var unused =
        new ChunkedOpen(source(), bronze(), this::plans, appId)
            .run(
                new SnapshotEvents(
                    FactsTable.open(table("facts")), appId, bronze().name(), Clock.systemUTC()),
                StreamBegin.ANYWHERE);
  }

  private void run(String appId) {
    open(appId);
    assertThat(
            new Backfill(
                    source(),
                    () ->
                        new DeltaStore(
                            bronze(),
                            FactsTable.open(table("facts")),
                            this::plans,
                            appId,
                            Clock.systemUTC()),
                    new BackfillLimits(2, 2, Duration.ZERO, null, null, null),
                    told -> {},
                    appId,
                    "a call")
                .run()
                .state())
        .isEqualTo(BackfillState.DONE);
  }

  private boolean dies(String appId, int operations) {
    return DiskFaults.kill(operations, folder, () -> run(appId));
  }

  @Test
  void whereverOneDiesTheNextCompletesIt() {
    server.insert(1, 2, 3, 4, 5, 6, 7);
    int deaths = 0;
    for (boolean died = true; died; deaths++) {
      died = dies("app" + deaths, deaths * STRIDE);
      run("app" + deaths);
      // another S for the next, so that its rows can be told from these
      server.idle();
    }

    assertThat(deaths).isGreaterThan(3);
    assertThat(
            table("bronze")
                .read()
                .groupBy("_snapshot")
                .agg(functions.count("id"), functions.countDistinct("id"), functions.max("_chunk"))
                .collectAsList())
        .hasSize(deaths)
        .allMatch(row -> row.getLong(1) == 7 && row.getLong(2) == 7 && row.getInt(3) == 3);
    assertThat(
            table("facts")
                .read()
                .groupBy("app_id")
                .pivot("event")
                .agg(functions.count("app_id").as("n"), functions.sum("rows").as("rows"))
                .select(
                    "bootstrap_n",
                    "bootstrap_rows",
                    "snapshot_chunk_n",
                    "snapshot_chunk_rows",
                    "snapshot_open_n",
                    "snapshot_plan_n")
                .collectAsList())
        .hasSize(deaths)
        .allMatch(row -> row.mkString(" ").equals("1 7 4 7 1 1"));
    assertThat(
            table("bronze" + PlansTable.SUFFIX)
                .read()
                .groupBy("app_id", "entry")
                .count()
                .groupBy("app_id")
                .pivot("entry")
                .agg(functions.max("count"))
                .select("open", "plan", "chunk", "wave")
                .collectAsList())
        .hasSize(deaths)
        .allMatch(row -> row.mkString(" ").equals("1 4 4 2"));
  }

  @Test
  void aTargetThatIsGoneAfterItWasCompleteIsNoticed() throws IOException {
    server.insert(1, 2, 3);
    run("app");
    FileUtils.deleteDirectory(folder.resolve("bronze").toFile());
    assertThatThrownBy(() -> open("app"))
        .isInstanceOfSatisfying(
            CdcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICTING_WRITER))
        .hasMessageContainingAll("the facts say that it is complete", "dropped or made anew");
  }
}
