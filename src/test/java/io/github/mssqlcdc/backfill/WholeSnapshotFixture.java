package io.github.mssqlcdc.backfill;

import static io.github.mssqlcdc.testkit.delta.ChangeRows.lsn;
import static io.github.mssqlcdc.testkit.delta.ChangeRows.time;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import io.github.mssqlcdc.testkit.delta.ChangeRows;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A table of three rows on a fake server, and a lake for its whole snapshot. */
@SuppressWarnings("NullAway.Init")
abstract class WholeSnapshotFixture {
  static final Lsn STAMP = new Lsn(0, 5);
  static final Offset AT = new Offset(STAMP, time(5), time(5).minusHours(3));

  @TempDir Path folder;
  Path lake;

  final SparkSession spark = TestSession.get();
  final FakeSqlServer server = new FakeSqlServer("DBO_Orders", stamp(STAMP));
  int reads;

  @BeforeEach
  void open() {
    lake = folder.resolve("lake");
  }

  static SnapshotStamp stamp(Lsn lsn) {
    return new SnapshotStamp(
        lsn, new MapEntry(lsn, time(lsn.low()).minusHours(3)), lsn, new Lsn(0, 1));
  }

  LakeTable table(String name) {
    return LakeTable.of(spark, new DeltaTableRef(lake.resolve(name).toString()));
  }

  WholeSnapshot snapshot(FakeSqlServer of, ChangeRows rows) {
    return new WholeSnapshot(
        of,
        of.captureInstance(""),
        new BronzeTable(table("bronze"), List.of("id"), List.of()),
        (stamp, maxLsn) -> {
          reads++;
          return rows.frame();
        },
        position -> {},
        Clock.systemUTC());
  }

  static ChangeRows rows() {
    return new ChangeRows()
        .snapshot("DBO_Orders", 5, 1, "a")
        .snapshot("DBO_Orders", 5, 2, "b")
        .snapshot("DBO_Orders", 5, 3, "c");
  }

  SnapshotEvents events() {
    return new SnapshotEvents(
        FactsTable.open(table("facts")), "orders-v1", "bronze.orders", Clock.systemUTC());
  }

  List<String> facts() {
    return table("facts")
        .read()
        .selectExpr(
            "concat_ws('|', app_id, coalesce(string(batch_id), '-'), event, rows, min_lsn, max_lsn,"
                + " end_lsn, min_commit_ts, max_commit_ts, end_commit_ts, end_at,"
                + " coalesce(string(lost_from_ts), '-'), target, detail, if(duration_ms is null,"
                + " 'found', 'taken'))")
        .orderBy("written_at")
        .collectAsList()
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }
}
