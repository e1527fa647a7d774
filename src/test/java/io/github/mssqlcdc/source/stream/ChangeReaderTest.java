package io.github.mssqlcdc.source.stream;

import static io.github.mssqlcdc.testkit.source.FakeSqlServer.lsn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.metric.SkippedChanges;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.source.stream.RetentionGuard.OnLoss;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;

class ChangeReaderTest {
  private static final Offset BEGIN = Offset.of(lsn(10).previous());
  private static final int ID = 6;

  private final FakeSqlServer server = new FakeSqlServer();
  private final RangeReports reports = new RangeReports(null);

  @Test
  void readsEveryRowOnceInOrderOverRangesCutInsideCommits() throws IOException {
    server.insert(1, 2, 3, 4, 5, 6, 7);
    Lsn withoutCommandIds = server.idle();
    for (int place = 1; place <= 5; place++) {
      server.add(
          new ChangePosition(withoutCommandIds, null, new Lsn(0, place), 2), 7 + place, "row");
    }
    Offset end = Offset.of(server.insert(13, 14, 15));

    List<RangePartition> ranges = plan(end, OnLoss.FAIL);
    List<Integer> ids = new ArrayList<>();
    for (RangePartition range : ranges) {
      ids.addAll(read(range, OnLoss.FAIL));
    }

    assertThat(ranges).hasSizeGreaterThan(2);
    assertThat(ids).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    assertThat(reports.value().keySet()).containsExactlyInAnyOrderElementsOf(ranges);
    assertThat(reports.value().values().stream().mapToLong(report -> report.measure().rows()).sum())
        .isEqualTo(15);
  }

  @Test
  void failsAfterTheRowsIfCleanupHasPassedItsRange() {
    server.insert(1);
    Offset end = Offset.of(server.insert(2));
    RangePartition range = plan(end, OnLoss.FAIL).get(0);
    server.beforeTail(() -> server.purge(lsn(11)));

    assertThatThrownBy(() -> read(range, OnLoss.FAIL))
        .isInstanceOf(DataLossException.class)
        .hasMessageContaining("from " + lsn(10));
    assertThat(reports.isZero()).isTrue();
  }

  @Test
  void keepsWhatWasLeftOnRequest() throws IOException {
    server.insert(1);
    Offset end = Offset.of(server.insert(2));
    RangePartition range = plan(end, OnLoss.SKIP).get(0);
    server.beforeRead(() -> server.purge(lsn(11)));

    try (CapturedLog log = CapturedLog.of(ChangeReader.class)) {
      assertThat(read(range, OnLoss.SKIP)).containsExactly(2);
      assertThat(log.warnings())
          .containsExactly(
              "Capture instance 'dbo_orders': cleanup took changes from "
                  + lsn(10)
                  + " up to "
                  + lsn(11)
                  + " while they were read; rows may be missing");
    }
    assertThat(reports.value()).containsOnlyKeys(range);
    assertThat(reports.value().values())
        .extracting(RangeReport::skip)
        .containsExactly(
            new SkippedChanges(
                "dbo_orders",
                lsn(10),
                lsn(11),
                null,
                FakeSqlServer.EPOCH.plusMinutes(2).plusHours(3),
                "cleanup took them while they were read: rows may be missing",
                null));
  }

  @Test
  void measuresARangeWithoutRowsToo() throws IOException {
    server.insert(1);
    Offset end = Offset.of(server.insert(2));
    RangePartition range = plan(end, OnLoss.SKIP).get(0);
    server.insert(3);
    server.beforeRead(() -> server.purge(lsn(12)));

    assertThat(read(range, OnLoss.SKIP)).isEmpty();

    RangeMeasure measure = Objects.requireNonNull(reports.value().get(range)).measure();
    assertThat(measure.rows()).isZero();
    assertThat(measure.bytes()).isZero();
    assertThat(measure.minLsn()).isNull();
    assertThat(measure.maxCommitTs()).isNull();
    assertThat(measure.seconds()).isPositive();
    assertThat(measure.networkWaitMs()).isEqualTo(4);
  }

  @Test
  void asksForNothingAfterTheEnd() throws IOException {
    Offset end = Offset.of(server.insert(1));
    RangePartition range = plan(end, OnLoss.FAIL).get(0);
    try (PartitionReader<ColumnarBatch> reader = reader(range, OnLoss.FAIL)) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.next()).isFalse();
      assertThat(reader.next()).isFalse();
    }
    assertThat(server.calls()).containsOnlyOnce("readChanges");
  }

  @Test
  void canBeClosedBeforeItWasUsed() {
    Offset end = Offset.of(server.insert(1));
    RangePartition range = plan(end, OnLoss.FAIL).get(0);

    assertThatCode(() -> reader(range, OnLoss.FAIL).close()).doesNotThrowAnyException();
    assertThat(server.calls()).doesNotContain("readChanges");
  }

  @Test
  void handsEachReportOnWhereItIsMerged() {
    List<RangeReport> received = new ArrayList<>();
    RangeReports driver = new RangeReports(received::add);
    RangeReports task = driver.copy();
    RangePartition range = plan(Offset.of(server.insert(1)), OnLoss.FAIL).get(0);
    task.add(new RangeReport(range, RangeMeasure.NOTHING, null));

    driver.merge(task);

    assertThat(received).containsExactly(new RangeReport(range, RangeMeasure.NOTHING, null));
    assertThat(driver.isZero()).isTrue();
  }

  private List<RangePartition> plan(Offset end, OnLoss onLoss) {
    return Fixtures.planner(server, onLoss, new StreamLedger(), 6).plan(BEGIN, end, null);
  }

  private List<Integer> read(RangePartition range, OnLoss onLoss) throws IOException {
    List<Integer> ids = new ArrayList<>();
    try (PartitionReader<ColumnarBatch> reader = reader(range, onLoss)) {
      while (reader.next()) {
        ColumnarBatch batch = reader.get();
        for (int row = 0; row < batch.numRows(); row++) {
          ids.add(batch.column(ID).getInt(row));
        }
      }
    }
    return ids;
  }

  private PartitionReader<ColumnarBatch> reader(RangePartition range, OnLoss onLoss) {
    return new ChangeReaderFactory(Fixtures.instances(server, onLoss).sources(), reports)
        .createColumnarReader(range);
  }
}
