package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.BucketCount;
import io.github.mssqlcdc.sqlserver.BucketGrid;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.ChangePlan;
import io.github.mssqlcdc.sqlserver.DdlEntry;
import io.github.mssqlcdc.sqlserver.Head;
import io.github.mssqlcdc.sqlserver.HeadLimits;
import io.github.mssqlcdc.sqlserver.KeyEnds;
import io.github.mssqlcdc.sqlserver.KeyExtent;
import io.github.mssqlcdc.sqlserver.KeySeek;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.RangeReader;
import io.github.mssqlcdc.sqlserver.ServerClock;
import io.github.mssqlcdc.sqlserver.SliceCount;
import io.github.mssqlcdc.sqlserver.SliceGrid;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.StartPosition;
import io.github.mssqlcdc.sqlserver.TableInstances;
import io.github.mssqlcdc.sqlserver.TableSize;
import io.github.mssqlcdc.sqlserver.TileLimits;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.SelectColumn;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A server that knows one capture instance, and answers what a snapshot asks. */
final class FakeSqlServer implements SqlServer {
  private final String instance;
  private Set<String> names;
  private Set<String> others = Set.of();
  private SnapshotStamp stamp;
  private Lsn minLsn = new Lsn(0, 1);

  /**
   * @param instance the instance's name
   * @param stamp of the next snapshot
   */
  FakeSqlServer(String instance, SnapshotStamp stamp) {
    this.instance = instance;
    this.names = Set.of(instance.toLowerCase(Locale.ROOT));
    this.stamp = stamp;
  }

  /** Another instance of the same table. */
  void alsoKnows(String name) {
    names = Set.of(instance.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
  }

  /** Instances of another table. */
  void knowsOfAnotherTable(String... instances) {
    others =
        Arrays.stream(instances)
            .map(name -> name.toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
  }

  void stamp(SnapshotStamp next) {
    this.stamp = next;
  }

  void purgeTo(Lsn lsn) {
    this.minLsn = lsn;
  }

  @Override
  public boolean maySwitchPartitions(CaptureInstance instance) {
    return false;
  }

  @Override
  public List<DdlEntry> ddlHistory(CaptureInstance instance) {
    return List.of();
  }

  @Override
  public Optional<LocalDateTime> tableCreated(CaptureInstance instance) {
    return Optional.empty();
  }

  @Override
  public CaptureInstance captureInstance(String name) {
    if (others.contains(name.toLowerCase(Locale.ROOT))) {
      return new CaptureInstance(
          name, "dbo", "others", 3, 4, minLsn, LocalDateTime.of(2026, 10, 1, 0, 0), List.of("id"));
    }
    if (!name.isEmpty() && !names.contains(name.toLowerCase(Locale.ROOT))) {
      throw new InvalidRequestException(ErrorCode.UNKNOWN_CAPTURE_INSTANCE, "Unknown " + name);
    }
    return new CaptureInstance(
        instance,
        "dbo",
        "orders",
        1,
        2,
        minLsn,
        LocalDateTime.of(2026, 10, 1, 0, 0),
        List.of("id"));
  }

  @Override
  public TableInstances tableInstances(String name) {
    CaptureInstance only = captureInstance(name);
    return new TableInstances(only, List.of(only));
  }

  @Override
  public List<BucketCount> countBuckets(CaptureInstance of, @Nullable BucketGrid grid) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<CaptureInstance> captureInstances() {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<CaptureInstance> instancesOf(CaptureInstance of) {
    return List.of(captureInstance(of.name()));
  }

  @Override
  public Optional<MapEntry> lastMapEntry(Lsn lsn) {
    throw new UnsupportedOperationException();
  }

  @Override
  public SnapshotStamp snapshotStamp(CaptureInstance of) {
    return stamp;
  }

  @Override
  public ServerClock clock() {
    return new ServerClock(ZoneOffset.ofHours(-3));
  }

  @Override
  public @Nullable String clockWarning() {
    return null;
  }

  @Override
  public ServerClock clock(Lsn after, Lsn through) {
    throw new UnsupportedOperationException();
  }

  @Override
  public LocalDateTime commitTs(MapEntry entry) {
    return clock().toUtc(entry);
  }

  @Override
  public StartPosition copyAt(CaptureInstance of, Instant asOf, Duration margin) {
    throw new UnsupportedOperationException();
  }

  @Override
  public StartPosition startAt(CaptureInstance of, Instant time) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<CapturedColumn> capturedColumns(CaptureInstance of) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<Lsn> maxLsn() {
    return Optional.ofNullable(stamp.maxLsn());
  }

  @Override
  public Duration captureLag() {
    return Duration.ZERO;
  }

  @Override
  public Optional<MapEntry> mapEntry(Lsn lsn) {
    return Optional.ofNullable(stamp.entry()).filter(entry -> entry.lsn().equals(lsn));
  }

  @Override
  public Head head(CaptureInstance of, Lsn after, HeadLimits limits) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ChangePlan planChanges(CaptureInstance of, Lsn after, Lsn through, TileLimits limits) {
    throw new UnsupportedOperationException();
  }

  @Override
  public RangeReader readChanges(
      CaptureInstance of, ChangeRange range, List<SelectColumn> columns) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<KeyExtent> keyExtents(CaptureInstance of, List<KeyRange> ranges) {
    throw new UnsupportedOperationException();
  }

  @Override
  public KeyEnds keyEnds(CaptureInstance of, List<KeyColumn> columns, @Nullable Lsn stampedMaxLsn) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<SliceCount> countSlices(CaptureInstance of, SliceGrid grid) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<TableSize> tableSize(CaptureInstance of) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<KeyBound> seekKey(CaptureInstance of, KeySeek seek) {
    throw new UnsupportedOperationException();
  }

  @Override
  public RangeReader readTable(
      CaptureInstance of, List<SelectColumn> columns, TablePart part, @Nullable Lsn stampedMaxLsn) {
    throw new UnsupportedOperationException();
  }
}
