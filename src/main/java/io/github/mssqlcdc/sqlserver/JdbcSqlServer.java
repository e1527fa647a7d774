package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.SelectColumn;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The port over JDBC: each call is passed on to the class that knows its T-SQL. */
record JdbcSqlServer(
    InstanceCatalog catalog,
    ClockDetector zones,
    ClockReads clocks,
    StartReads starts,
    CopyReads copies,
    LsnReads lsns,
    ChangeReads changes,
    TableReads tables,
    PlanReads plans,
    CaptureWatch capture)
    implements SqlServer {

  @Override
  public CaptureInstance captureInstance(String name) {
    return catalog.find(name);
  }

  @Override
  public TableInstances tableInstances(String name) {
    return catalog.ofTable(name);
  }

  @Override
  public List<CaptureInstance> captureInstances() {
    return catalog.list();
  }

  @Override
  public List<CaptureInstance> instancesOf(CaptureInstance instance) {
    return catalog.ofTable(instance);
  }

  @Override
  public List<CapturedColumn> capturedColumns(CaptureInstance instance) {
    return catalog.columns(instance);
  }

  @Override
  public ServerClock clock() {
    return zones.clock();
  }

  @Override
  public @Nullable String clockWarning() {
    return zones.warning();
  }

  @Override
  public ServerClock clock(Lsn after, Lsn through) {
    return clocks.clock(after, through);
  }

  @Override
  public LocalDateTime commitTs(MapEntry entry) {
    return clocks.commitTs(entry);
  }

  @Override
  public StartPosition startAt(CaptureInstance instance, Instant time) {
    return starts.startAt(instance, time);
  }

  @Override
  public StartPosition copyAt(CaptureInstance instance, Instant asOf, Duration margin) {
    return copies.position(instance, asOf, margin);
  }

  @Override
  public Optional<Lsn> maxLsn() {
    return lsns.maxLsn();
  }

  @Override
  public @Nullable Duration captureLag() {
    return capture.lag();
  }

  @Override
  public Optional<MapEntry> mapEntry(Lsn lsn) {
    return lsns.mapEntry(lsn);
  }

  @Override
  public Optional<MapEntry> lastMapEntry(Lsn lsn) {
    return lsns.lastMapEntry(lsn);
  }

  @Override
  public SnapshotStamp snapshotStamp(CaptureInstance instance) {
    return lsns.snapshotStamp(instance);
  }

  @Override
  public Head head(CaptureInstance instance, Lsn after, HeadLimits limits) {
    return changes.head(instance, after, limits);
  }

  @Override
  public ChangePlan planChanges(
      CaptureInstance instance, Lsn after, Lsn through, TileLimits limits) {
    return changes.plan(instance, after, through, limits);
  }

  @Override
  public RangeReader readChanges(
      CaptureInstance instance, ChangeRange range, List<SelectColumn> columns) {
    return changes.read(instance, range, columns);
  }

  @Override
  public Optional<LocalDateTime> tableCreated(CaptureInstance instance) {
    return catalog.tableCreated(instance);
  }

  @Override
  public boolean maySwitchPartitions(CaptureInstance instance) {
    return catalog.maySwitchPartitions(instance);
  }

  @Override
  public List<DdlEntry> ddlHistory(CaptureInstance instance) {
    return changes.ddlHistory(instance);
  }

  @Override
  public List<KeyExtent> keyExtents(CaptureInstance instance, List<KeyRange> ranges) {
    return plans.extents(instance, ranges);
  }

  @Override
  public KeyEnds keyEnds(
      CaptureInstance instance, List<KeyColumn> columns, @Nullable Lsn stampedMaxLsn) {
    return plans.ends(instance, columns, stampedMaxLsn);
  }

  @Override
  public List<SliceCount> countSlices(CaptureInstance instance, SliceGrid grid) {
    return plans.slices(instance, grid);
  }

  @Override
  public List<BucketCount> countBuckets(CaptureInstance instance, @Nullable BucketGrid grid) {
    return plans.buckets(instance, grid);
  }

  @Override
  public Optional<TableSize> tableSize(CaptureInstance instance) {
    return tables.size(instance);
  }

  @Override
  public Optional<KeyBound> seekKey(CaptureInstance instance, KeySeek seek) {
    return plans.seek(instance, seek);
  }

  @Override
  public RangeReader readTable(
      CaptureInstance instance,
      List<SelectColumn> columns,
      TablePart part,
      @Nullable Lsn stampedMaxLsn) {
    return tables.read(instance, columns, part, stampedMaxLsn);
  }
}
