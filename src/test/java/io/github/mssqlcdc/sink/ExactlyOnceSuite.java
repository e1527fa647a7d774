package io.github.mssqlcdc.sink;

import static io.github.mssqlcdc.testkit.delta.ChangeRows.lsn;
import static io.github.mssqlcdc.testkit.delta.ChangeRows.time;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.bronze.WholeRows;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.testkit.delta.ChangeRows;
import io.github.mssqlcdc.testkit.delta.LogCleanup;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/**
 * Each row once, whatever is replayed and whoever else writes under the same id; for each way in
 * which the tables are written to.
 */
abstract class ExactlyOnceSuite extends SinkFixture {
  private void restart() {
    ledger = new StreamLedger();
  }

  @Test
  void aReplayWritesNothingTwiceAndItsWarningsGoToTheNextBatch() {
    plan(0, 2, measure());
    ledger.warn("first");
    sink().call(rows(), 0L);
    restart();
    BatchSink restarted = sink();
    restarted.announceHeld();
    assertThat(ledger.held()).isEqualTo(new Lsn(0, 2));
    planHeld(0, 2);
    ledger.warn("of the restart");
    ledger.warn("and another");

    restarted.call(unreadable(), 0L);
    plan(2, 3, null);
    restarted.call(noRows(), 1L);
    plan(3, 4, null);
    restarted.call(noRows(), 2L);

    assertThat(bronze().read().count()).isEqualTo(4);
    assertThat(
            facts()
                .read()
                .orderBy("batch_id")
                .selectExpr("batch_id", "from_json(detail, 'warnings ARRAY<STRING>').warnings")
                .collectAsList())
        .extracting(Row::toString)
        .containsExactly(
            "[0,ArraySeq(first)]", "[1,ArraySeq(of the restart, and another)]", "[2,null]");
  }

  /** What compaction and deletes have made of the table since doesn't count. */
  @Test
  void aCrashBetweenRowsAndFactsIsMendedFromTheFilesOfTheBatch() {
    plan(0, 2, measure());
    sink(null).call(rows(), 0L);
    spark.sql("DELETE FROM " + bronze().ref().sql() + " WHERE id = 2");
    assertMended();
  }

  @Test
  void onceTheLogHasForgottenTheBatchItsRowsTell() throws Exception {
    plan(0, 2, measure());
    sink(null).call(rows(), 0L);
    LogCleanup.of(bronze());
    assertMended();

    // one id later, in the same place: its facts tell, or else its rows
    restart();
    for (BatchSink rewound : List.of(sink(), sink(null))) {
      plan(1, 3, measure());
      assertThatThrownBy(() -> rewound.call(unreadable(), 1L))
          .isInstanceOf(CdcException.class)
          .hasMessageContaining(
              "the table holds everything up to " + lsn(2) + " under another batch id, 0");
    }
    plan(7, 8, measure());
    assertThatThrownBy(() -> sink().call(unreadable(), 0L))
        .isInstanceOf(CdcException.class)
        .hasMessageContaining("the table holds that batch id, but no row of this range");
    assertThat(bronze().read().count()).isEqualTo(4);
  }

  private void assertMended() {
    restart();
    BatchSink sink = sink();
    sink.announceHeld();
    planHeld(0, 2);
    sink.call(unreadable(), 0L);
    Row row =
        facts()
            .read()
            .select(
                "batch_id",
                "rows",
                "min_lsn",
                "max_lsn",
                "min_commit_ts",
                "max_commit_ts",
                "deletes",
                "inserts",
                "updates",
                "read_mb",
                "source_rtt_ms",
                "end_lsn",
                "end_commit_ts")
            .head();
    assertThat(row.mkString("|"))
        .isEqualTo(
            String.join(
                "|",
                "0",
                "4",
                lsn(1),
                lsn(2),
                time(1).toString(),
                time(2).toString(),
                "1",
                "1",
                "1",
                "null",
                "null",
                lsn(2),
                time(2).toString()));
  }

  /** The new driver's batch has rows, the old one's had none: bronze has no trace of that. */
  @Test
  void aDriverThatWasThoughtDeadCannotAppendWhatTheNewOneHas() {
    BatchSink old = sink(null);
    StreamLedger ofTheOld = ledger;
    plan(0, 1, null);
    old.call(noRows(), 0L);
    restart();
    plan(0, 2, measure());
    sink(null).call(rows(), 0L);

    ledger = ofTheOld;
    plan(1, 3, measure());
    assertThatThrownBy(() -> old.call(unreadable(), 1L))
        .isInstanceOf(CdcException.class)
        .hasMessage(
            "Cannot write batch 1 of 'orders-v1', ("
                + lsn(1)
                + ", "
                + lsn(3)
                + "], to "
                + bronzeName
                + ": the table holds everything up to "
                + lsn(2)
                + " under another batch id, 0"
                + ADVICE);
    assertThat(bronze().read().count()).isEqualTo(4);
  }

  @Test
  void factsOfALaterBatchAreAnotherWriters() {
    BatchSink sink = sink();
    plan(0, 1, null);
    sink.call(noRows(), 3L);
    plan(1, 2, null);
    assertThatThrownBy(() -> sink.call(noRows(), 2L))
        .isInstanceOf(CdcException.class)
        .hasMessageContaining("the facts hold batches up to 3, and not this one");
    assertThat(facts().read().count()).isEqualTo(1);
  }

  @Test
  void rowsDoNotFallBehindTheHistoryOfTheTable() {
    BatchSink sink = sink(null);
    plan(0, 2, measure());
    sink.call(rows(), 0L);
    BronzeTable other = new BronzeTable(bronze(), List.of(), List.of());
    var unused =
        other.append(
            new ChangeRows().snapshot("dbo_orders", 1, 9, "x").frame(),
            WholeRows.ofTable("dbo_orders", Offset.of(new Lsn(0, 1)), 1, 0, () -> null));
    plan(2, 3, measure());
    assertThatThrownBy(() -> sink.call(unreadable(), 1L))
        .isInstanceOfSatisfying(
            CdcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICTING_WRITER))
        .hasMessage(
            "Cannot append rows of history 0 of the source to '"
                + bronzeName
                + "': another writer has brought history 1 meanwhile. Start the run again");
    assertThat(new BronzeTable(bronze(), List.of(), List.of()).highestHistory()).isEqualTo(1);
  }

  @Test
  void anotherWritersBatchIsAnErrorWithFactsAndWithout() {
    plan(0, 2, measure());
    sink().call(rows(), 0L);
    for (BatchSink second : List.of(sink(), sink(null))) {
      plan(1, 3, measure());
      assertThatThrownBy(() -> second.call(unreadable(), 0L))
          .isInstanceOfSatisfying(
              CdcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICTING_WRITER))
          .hasMessage(
              "Cannot write batch 0 of 'orders-v1', ("
                  + lsn(1)
                  + ", "
                  + lsn(3)
                  + "], to "
                  + bronzeName
                  + ": the table holds that batch with ("
                  + lsn(0)
                  + ", "
                  + lsn(2)
                  + "]"
                  + ADVICE);
    }
    assertThat(bronze().read().count()).isEqualTo(4);
    assertThat(facts().read().count()).isEqualTo(1);
  }

  @Test
  void anotherWritersEmptyBatchIsAnErrorByTheFacts() {
    plan(0, 2, null);
    sink().call(noRows(), 0L);
    plan(0, 3, null);
    assertThatThrownBy(() -> sink().call(noRows(), 0L))
        .isInstanceOf(CdcException.class)
        .hasMessageContaining("the facts hold that batch with the end " + lsn(2));
  }

  @Test
  void aBatchThatComesUnderALaterIdIsAnError() {
    plan(0, 2, measure());
    sink().call(rows(), 0L);
    BatchSink restarted = sink();
    restarted.announceHeld();
    planHeld(0, 2);
    assertThatThrownBy(() -> restarted.call(noRows(), 1L))
        .isInstanceOf(CdcException.class)
        .hasMessageContaining(
            "the table holds everything up to " + lsn(2) + " under another batch id, 0");
  }

  @Test
  void aCheckpointThatDoesNotKnowTheTablesBatchesIsRefused() {
    plan(0, 2, measure());
    sink().call(rows(), 0L);
    BronzeTable bronze = new BronzeTable(bronze(), List.of(), List.of());
    new SinkOwner("orders-v1", "/ck", 0).check(bronze);
    new SinkOwner("orders-v2", "/ck", -1).check(bronze);

    SinkOwner newcomer = new SinkOwner("orders-v1", "/ck", -1);
    assertThatThrownBy(() -> newcomer.check(bronze))
        .isInstanceOf(CdcException.class)
        .hasMessage(
            "Cannot start 'orders-v1' on "
                + bronzeName
                + ": it has written batches up to 0 there, but the checkpoint /ck is new"
                + ADVICE);
    assertThatThrownBy(() -> newcomer.check(bronzeName, FactsTable.open(facts())))
        .isInstanceOf(CdcException.class);
  }
}
