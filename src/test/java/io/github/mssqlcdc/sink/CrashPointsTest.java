package io.github.mssqlcdc.sink;

import static io.github.mssqlcdc.testkit.delta.ChangeRows.lsn;
import static io.github.mssqlcdc.testkit.delta.ChangeRows.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.testkit.delta.ChangeRows;
import io.github.mssqlcdc.testkit.spark.DiskFaults;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** A batch is killed at each file that it creates or renames, then replayed as after a restart. */
final class CrashPointsTest extends SinkFixture {
  /** A change per batch, at LSN batch + 1. */
  private void run(long batch) {
    ledger = new StreamLedger();
    BatchSink sink = sink();
    sink.announceHeld();
    if (ledger.held() != null && !offset(batch + 1).lsn().isAfter(ledger.held())) {
      planHeld(batch, batch + 1);
      sink.call(unreadable(), batch);
      return;
    }
    long at = batch + 1;
    plan(
        batch,
        at,
        new RangeMeasure(1, 10, 0, 1, 0, lsn(at), lsn(at), time(at), time(at), 0.1, null));
    sink.call(new ChangeRows().change(2, at, (int) at, "x").frame(), batch);
  }

  /** Whether it died. */
  private boolean dies(long batch, int operations) {
    return DiskFaults.kill(operations, folder, () -> run(batch));
  }

  @Test
  void whereverABatchDiesItsReplayCompletesIt() {
    run(0);
    long batch = 1;
    List<Integer> deaths = new ArrayList<>();
    for (int operations = 0; dies(batch, operations); operations++) {
      deaths.add(operations);
      run(batch);
      batch++;
    }

    // rows and their commit, the facts and theirs: a file and a rename each at the very least
    assertThat(deaths).hasSizeGreaterThan(6);
    assertThat(
            bronze()
                .read()
                .selectExpr("_batch_id", "_start_lsn", "id")
                .orderBy("_batch_id")
                .collectAsList())
        .extracting(Row::toString)
        .containsExactlyElementsOf(
            LongStream.rangeClosed(0, batch)
                .mapToObj(n -> "[" + n + "," + lsn(n + 1) + "," + (n + 1) + "]")
                .toList());
    assertThat(
            facts()
                .read()
                .selectExpr("batch_id", "rows", "inserts", "min_lsn", "end_lsn")
                .orderBy("batch_id")
                .collectAsList())
        .extracting(Row::toString)
        .containsExactlyElementsOf(
            LongStream.rangeClosed(0, batch)
                .mapToObj(n -> "[" + n + ",1,1," + lsn(n + 1) + "," + lsn(n + 1) + "]")
                .toList());
  }

  @Test
  void whereverATableDiesWhileItIsMadeTheNextStartMakesIt() {
    int operations = 0;
    boolean died = true;
    while (died) {
      factsName = folder.resolve("facts" + operations).toString();
      died = DiskFaults.kill(operations, folder, this::sink);
      sink();
      assertThat(facts().schema().fields()).allMatch(field -> field.getComment().isDefined());
      assertThat(facts().properties())
          .containsEntry("mssql_cdc.schema_version", "1")
          .containsKey("delta.dataSkippingStatsColumns");
      operations++;
    }
    assertThat(operations).isGreaterThan(2);
  }
}
