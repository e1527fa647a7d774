package io.github.mssqlcdc.sink;

import static io.github.mssqlcdc.testkit.delta.ChangeRows.lsn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.facts.FactsTable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who else may write under the same id, and how it shows. */
final class SinkConflictTest extends SinkFixture {
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
    BronzeTable bronze = new BronzeTable(bronze(), List.of());
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
