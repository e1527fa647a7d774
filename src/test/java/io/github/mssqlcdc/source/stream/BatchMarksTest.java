package io.github.mssqlcdc.source.stream;

import static io.github.mssqlcdc.testkit.source.FakeSqlServer.lsn;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchMeasure;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.source.stream.RetentionGuard.OnLoss;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What planning writes into the ledger of server and poll. */
class BatchMarksTest {
  private static final Offset BEGIN = Offset.of(lsn(10).previous());

  private final FakeSqlServer server = new FakeSqlServer();
  private final StreamLedger ledger = new StreamLedger();

  @Test
  void writesTheMarksIntoTheLedgerInUtc() {
    server.insert(1);
    Offset end = at(server.insert(2));

    planner().plan(BEGIN, end, new Poll(Duration.ofMillis(7), server.clock()));

    BatchMeasure measure = measure();
    assertThat(measure.total()).as("before the ranges have reported").isNull();
    assertThat(measure.roundTripMs()).isEqualTo(7.0);
    assertThat(measure.retentionWatermark())
        .isEqualTo(FakeSqlServer.EPOCH.plusMinutes(1).plusHours(3));
    assertThat(measure.sourceMaxCommitTs())
        .isEqualTo(FakeSqlServer.EPOCH.plusMinutes(2).plusHours(3));
    assertThat(measure.captureLagSeconds()).isEqualTo(3.0);
  }

  @Test
  void aServerWhoseMapIsAheadOfItsClockHasANegativeCaptureLag() {
    Lsn last = server.insert(1);
    server.setTime(last, FakeSqlServer.EPOCH.plusMinutes(1).plusSeconds(8));

    planner().plan(BEGIN, at(last), null);

    assertThat(measure().captureLagSeconds()).isEqualTo(-5.0);
  }

  @Test
  void knowsNoRoundTripWhereNoPollOfItsOwnFoundTheEnd() {
    Offset end = at(server.insert(1));

    planner().plan(BEGIN, end, null);
    assertThat(measure().roundTripMs()).isNull();

    planner().plan(BEGIN, end, new Poll(null, server.clock()));
    assertThat(measure().roundTripMs()).isNull();
  }

  @Test
  void whatTheClockCannotTellStandsInTheFactsOnceUntilItChanges() {
    Offset end = at(server.insert(1));
    BatchPlanner planner = planner();
    planner.plan(BEGIN, end, null);
    assertThat(ledger.takeWarnings()).isEmpty();

    server.setClockWarning("offset of summer");
    planner.plan(BEGIN, end, null);
    planner.plan(BEGIN, end, null);
    server.setClockWarning("offset of winter");
    planner.plan(BEGIN, end, null);

    assertThat(ledger.takeWarnings()).containsExactly("offset of summer", "offset of winter");
  }

  @Test
  void countsWhatTheBatchEndsWithAsCaptured() {
    Offset end = new Offset(server.insert(1), FakeSqlServer.EPOCH.plusDays(1), null);

    planner().plan(BEGIN, end, null);

    assertThat(measure().sourceMaxCommitTs()).isEqualTo(FakeSqlServer.EPOCH.plusDays(1));
  }

  private BatchMeasure measure() {
    return Objects.requireNonNull(ledger.current()).measure();
  }

  private BatchPlanner planner() {
    return Fixtures.planner(server, OnLoss.FAIL, ledger, 3);
  }

  private static Offset at(Lsn lsn) {
    return Offset.of(lsn);
  }
}
