package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.metric.BatchLedger;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.spark.util.AccumulatorV2;
import org.jspecify.annotations.Nullable;

/**
 * Brings the reports of ranges from the tasks to the driver, where each is handed on as it arrives.
 * Keyed by range, so that a task that ran twice counts once; Spark drops what a failed attempt
 * reported. Thread-safe: heartbeats read it while a task writes.
 */
final class RangeReports extends AccumulatorV2<RangeReport, Map<RangePartition, RangeReport>> {
  private static final long serialVersionUID = 1L;

  private final ConcurrentHashMap<RangePartition, RangeReport> reports = new ConcurrentHashMap<>();

  /** Only the driver's own instance has one: copies travel without it. */
  private final transient @Nullable Consumer<RangeReport> receiver;

  RangeReports(@Nullable Consumer<RangeReport> receiver) {
    this.receiver = receiver;
  }

  /** The driver's own, which hands each report on to the ledger. */
  static RangeReports into(BatchLedger ledger) {
    return new RangeReports(report -> enter(report, ledger));
  }

  static void enter(RangeReport report, BatchLedger ledger) {
    RangePartition range = report.range();
    ledger.reported(range.start(), range.end(), range.index(), report.measure());
    if (report.skip() != null) {
      ledger.skipped(range.start(), range.end(), report.skip());
    }
  }

  @Override
  public boolean isZero() {
    return reports.isEmpty();
  }

  @Override
  public RangeReports copy() {
    RangeReports copy = new RangeReports(null);
    copy.reports.putAll(reports);
    return copy;
  }

  @Override
  public void reset() {
    reports.clear();
  }

  @Override
  public void add(RangeReport report) {
    reports.put(report.range(), report);
  }

  @Override
  public void merge(AccumulatorV2<RangeReport, Map<RangePartition, RangeReport>> other) {
    if (receiver == null) {
      reports.putAll(other.value());
    } else {
      other.value().values().forEach(receiver);
    }
  }

  @Override
  public Map<RangePartition, RangeReport> value() {
    return Map.copyOf(reports);
  }
}
