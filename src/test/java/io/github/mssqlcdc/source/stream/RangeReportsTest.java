package io.github.mssqlcdc.source.stream;

import static io.github.mssqlcdc.testkit.source.FakeSqlServer.lsn;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.metric.BatchMeasure;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.sqlserver.ServerClock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.ZoneOffset;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The way of reports from tasks to the ledger. */
class RangeReportsTest {
  private static final Offset START = Offset.of(lsn(10));
  private static final Offset END = Offset.of(lsn(12));

  private final StreamLedger ledger = new StreamLedger();
  private final RangeReports driver = RangeReports.into(ledger);

  @BeforeEach
  void plan() {
    ledger.planned(START, END, 2, new BatchMeasure(null, null, null, null, null));
  }

  @Test
  void everyRangeCountsOnceHoweverManyOfItsAttemptsAreAccepted() {
    // a stage that runs again, or a speculative attempt that ends at the same moment
    RangeReports first = attempt(0, 5, 0.25);
    RangeReports second = attempt(0, 5, 0.5);
    RangeReports other = attempt(1, 3, 1.0);

    driver.merge(first);
    driver.merge(other);
    driver.merge(second);

    RangeMeasure total = Objects.requireNonNull(total());
    assertThat(total.rows()).isEqualTo(8);
    assertThat(total.seconds()).isEqualTo(1.5);
  }

  @Test
  void aBatchIsIncompleteUntilItsLastRangeHasReported() {
    driver.merge(attempt(0, 5, 0.25));
    assertThat(total()).isNull();

    driver.merge(attempt(1, 0, 0.25));
    assertThat(Objects.requireNonNull(total()).rows()).isEqualTo(5);
  }

  @Test
  void theDriverKeepsNothingOfWhatItHandsOn() {
    for (int i = 0; i < 100; i++) {
      driver.merge(attempt(0, 5, 0.25));
    }
    assertThat(driver.isZero()).isTrue();
    assertThat(driver.value()).isEmpty();
  }

  @Test
  void whatATaskSendsIsItsOwnReportsWithoutTheDriversEnd() throws Exception {
    RangeReports task = attempt(0, 5, 0.25);

    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(task.value().values().iterator().next());
    }
    RangeReport report;
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      report = (RangeReport) in.readObject();
    }

    assertThat(report).isEqualTo(task.value().get(range(0)));
    assertThat(task.copyAndReset().isZero()).as("what another task starts with").isTrue();
  }

  private RangeReports attempt(int index, long rows, double seconds) {
    RangeReports task = driver.copy();
    task.reset();
    task.add(
        new RangeReport(
            range(index),
            new RangeMeasure(rows, rows, 0, rows, 0, null, null, null, null, seconds, null),
            null));
    return task;
  }

  private static RangePartition range(int index) {
    return new RangePartition(
        START,
        END,
        index,
        1,
        ChangeRange.commits(lsn(10 + index), lsn(11 + index)),
        new ServerClock(ZoneOffset.UTC));
  }

  private @Nullable RangeMeasure total() {
    return Objects.requireNonNull(ledger.current()).measure().total();
  }
}
