package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.control.AppliedPosition;
import io.github.mssqlcdc.control.ControlTable;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.ReconcileResult;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Silver against its source, beside the bronze table and the chunks that it comes from. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class ReconcileChunksTest {
  @TempDir private Path folder;

  @Test
  void changesInBronzeAreOnTheirWaySnapshotRowsAreNotAndChunksAreChecked() throws Exception {
    try (TestDatabase database = TestDatabases.create()) {
      BackfillFixture lake = new BackfillFixture(database, folder, "orders");
      lake.change(
          "CREATE TABLE $t (id int NOT NULL PRIMARY KEY, name nvarchar(20) NULL)",
          "INSERT INTO $t VALUES (1, N'a'), (2, N'b'), (3, N'c'), (4, N'd'), (5, N'e')",
          "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
              + " @role_name = NULL");
      lake.run(lake.toDelta(lake.stream()));
      var unused = lake.backfill(lake.stream()).run();
      unusedRows(
          lake.sql(
              "CREATE TABLE delta.`"
                  + lake.path("silver")
                  + "` USING delta AS SELECT id, name, _start_lsn, _commit_ts, _history FROM"
                  + " $bronze WHERE id <> 1"));
      // chunks are stamped above it, and are no changes all the same
      Lsn before = Lsn.parse(lake.sql("SELECT max(_snapshot) FROM $bronze").get(0)).previous();
      var position =
          ControlTable.open(
                  LakeTable.of(BackfillFixture.spark(), new DeltaTableRef(lake.path("control"))),
                  Clock.systemUTC())
              .apply(lake.path("silver"), new AppliedPosition(before, null, null, null), null, 0);
      lake.change("UPDATE $t SET name = N'later' WHERE id = 5");
      lake.run(lake.toDelta(lake.stream()));

      ReconcileResult lost = request(lake, position.table()).run();
      assertThat(lost.failures())
          .extracting(one -> one.type() + " " + one.key())
          .containsExactlyInAnyOrder("MISSING_TARGET {\"id\":1}", "IN_FLIGHT {\"id\":5}");
      assertThat(List.of(lost.buckets(), lost.match(), lost.inFlight(), lost.mismatch()))
          .containsExactly(3, 1, 1, 1);
      assertThat(lost.notes()).isEmpty();

      unusedRows(lake.sql("DELETE FROM $bronze WHERE _chunk = 1"));
      ReconcileResult chunk =
          request(lake, position.table()).reportTable(lake.path("report")).run();
      assertThat(chunk.failures())
          .extracting(one -> one.type() + " " + one.key() + " " + one.detail())
          .contains("CHUNK_ROWS null {\"chunk\": 1, \"facts\": 2, \"bronze\": 0}");
      assertThat(chunk.match()).isEqualTo(1);
      assertThat(
              lake.sql(
                  "SELECT concat_ws('|', status, key, bucket_lo, bucket_hi, failure_type) FROM"
                      + " delta.`"
                      + lake.path("report")
                      + "` WHERE failure_type LIKE 'CHUNK%'"))
          .containsExactly("3|5|CHUNK_ROWS");
    }
  }

  private static ReconcileRequest request(BackfillFixture lake, String silver) {
    return lake.stream()
        .reconcile(silver)
        .controlTable(lake.path("control"))
        .bronze(lake.path("bronze"))
        .appId(BackfillFixture.APP_ID)
        .factsTable(lake.path("facts"))
        .bucketRows(2)
        .sample(1)
        .captureWait(Duration.ZERO);
  }

  private static void unusedRows(List<String> rows) {
    assertThat(rows).hasSizeLessThan(2);
  }
}
