package io.github.mssqlcdc.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.testkit.sqlserver.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StreamLedgerTest {
  private static final Offset START = Offset.of(new Lsn(1, 0));
  private static final Offset END = Offset.of(new Lsn(9, 0));
  private static final LocalDateTime NOON = LocalDateTime.of(2026, 11, 1, 12, 0);
  private static final BatchMeasure MARKS =
      new BatchMeasure(null, 2.5, NOON.minusHours(70), NOON, 1.0);

  private final StreamLedger ledger = new StreamLedger();

  @Test
  void foldsTheReportsOfAllRanges() {
    ledger.planned(START, END, 2, MARKS);
    ledger.reported(START, END, 1, measure(3, new Lsn(5, 0), NOON.minusMinutes(1), 7L));
    ledger.reported(START, END, 0, measure(2, new Lsn(2, 0), NOON, 5L));

    BatchMeasure measure = batch().measure();

    assertThat(measure.total())
        .isEqualTo(
            new RangeMeasure(
                5,
                50,
                0,
                5,
                0,
                new Lsn(2, 0).toString(),
                new Lsn(5, 0).toString(),
                NOON.minusMinutes(1),
                NOON,
                1.0,
                12L));
    assertThat(measure.roundTripMs()).isEqualTo(2.5);
    assertThat(measure.retentionWatermark()).isEqualTo(NOON.minusHours(70));
  }

  @Test
  void hasNoTotalWhileARangeIsMissing() {
    ledger.planned(START, END, 2, MARKS);
    ledger.reported(START, END, 1, measure(3, new Lsn(5, 0), NOON, 7L));

    assertThat(batch().measure().total()).isNull();
  }

  @Test
  void countsARangeThatReportsTwiceOnce() {
    ledger.planned(START, END, 1, MARKS);
    ledger.reported(START, END, 0, measure(3, new Lsn(5, 0), NOON, 7L));
    ledger.reported(START, END, 0, measure(3, new Lsn(5, 0), NOON, 8L));

    assertThat(total().rows()).isEqualTo(3);
    assertThat(total().networkWaitMs()).isEqualTo(8);
  }

  @Test
  void ignoresReportsOfAnotherBatch() {
    ledger.planned(END, Offset.of(new Lsn(12, 0)), 1, MARKS);
    ledger.reported(START, END, 0, measure(3, new Lsn(5, 0), NOON, 7L));

    assertThat(batch().measure().total()).isNull();
  }

  @Test
  void knowsNoNetworkWaitIfARangeLacksIt() {
    ledger.planned(START, END, 2, MARKS);
    ledger.reported(START, END, 0, measure(3, new Lsn(5, 0), NOON, 7L));
    ledger.reported(START, END, 1, measure(3, new Lsn(6, 0), NOON, null));

    assertThat(total().networkWaitMs()).isNull();
  }

  @Test
  void takesTheBoundsOfTheRangeThatHasRows() {
    ledger.planned(START, END, 2, MARKS);
    ledger.reported(START, END, 0, RangeMeasure.NOTHING);
    ledger.reported(START, END, 1, measure(3, new Lsn(6, 0), NOON, null));

    assertThat(total().minLsn()).isEqualTo(new Lsn(6, 0).toString());
    assertThat(total().maxCommitTs()).isEqualTo(NOON);
  }

  @Test
  void measuresABatchWithoutRangesAsItsMarksSay() {
    ledger.planned(START, END, 0, new BatchMeasure(RangeMeasure.NOTHING, null, null, null, null));
    assertThat(total().rows()).isZero();

    ledger.planned(START, END, 0, new BatchMeasure(null, null, null, null, null));
    assertThat(batch().measure().total()).isNull();
  }

  @Test
  void foldsWhatReadsFoundIntoOneGapBesideThePlannedOne() {
    ledger.planned(START, END, 2, MARKS);
    SkippedChanges certain = skip(2, 4, null);
    ledger.skipped(START, END, certain);
    ledger.skipped(START, END, skip(6, 7, "doubt"));
    ledger.skipped(START, END, skip(4, 6, "doubt"));
    ledger.skipped(START, END, skip(4, 6, "doubt"));
    ledger.skipped(END, Offset.of(new Lsn(12, 0)), skip(9, 10, "doubt"));

    assertThat(batch().skips()).containsExactly(certain, skip(4, 7, "doubt"));
    ledger.planned(START, END, 2, MARKS);
    assertThat(batch().skips()).as("planned anew").isEmpty();
  }

  @Test
  void keepsNothingForALaterBatchNorForTheSameOnePlannedAnew() {
    Offset later = Offset.of(new Lsn(12, 0));
    ledger.planned(START, END, 1, MARKS);
    ledger.reported(START, END, 0, measure(3, new Lsn(5, 0), NOON, 7L));

    ledger.planned(END, later, 1, MARKS);
    assertThat(batch().measure().total()).isNull();
    ledger.reported(START, END, 0, measure(3, new Lsn(5, 0), NOON, 7L));
    ledger.reported(END, later, 0, measure(1, new Lsn(11, 0), NOON, 7L));
    assertThat(total().rows()).isEqualTo(1);

    ledger.planned(START, END, 1, MARKS);
    assertThat(batch().measure().total()).isNull();
  }

  @Test
  void theWorkOnABatchBeginsBeforeItIsPlanned() {
    ManualClock clock = new ManualClock(Instant.parse("2026-11-01T12:00:00Z"));
    StreamLedger timed = new StreamLedger(clock);
    timed.begun();
    clock.advance(Duration.ofSeconds(3));
    timed.planned(START, END, 0, MARKS);
    assertThat(Objects.requireNonNull(timed.current()).startedAt()).isEqualTo(NOON);

    timed.planned(END, Offset.of(new Lsn(12, 0)), 0, MARKS);
    assertThat(Objects.requireNonNull(timed.current()).startedAt()).isEqualTo(NOON.plusSeconds(3));
  }

  @Test
  void givesEachWarningOnce() {
    ledger.warn("first");
    ledger.warn("second");

    assertThat(ledger.takeWarnings()).containsExactly("first", "second");
    assertThat(ledger.takeWarnings()).isEmpty();
  }

  private BatchLedger.Batch batch() {
    return Objects.requireNonNull(ledger.current());
  }

  private RangeMeasure total() {
    return Objects.requireNonNull(batch().measure().total());
  }

  private static SkippedChanges skip(int from, int to, @Nullable String doubt) {
    return new SkippedChanges(
        "dbo_orders",
        new Lsn(from, 0),
        new Lsn(to, 0),
        NOON.plusMinutes(from),
        NOON.plusMinutes(to),
        doubt,
        null);
  }

  private static RangeMeasure measure(
      long rows, Lsn lsn, LocalDateTime commitTs, @Nullable Long wait) {
    return new RangeMeasure(
        rows, rows * 10, 0, rows, 0, lsn.toString(), lsn.toString(), commitTs, commitTs, 0.5, wait);
  }
}
