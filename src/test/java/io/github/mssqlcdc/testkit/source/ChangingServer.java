package io.github.mssqlcdc.testkit.source;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.BucketCount;
import io.github.mssqlcdc.sqlserver.BucketGrid;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.ChangePlan;
import io.github.mssqlcdc.sqlserver.DdlEntry;
import io.github.mssqlcdc.sqlserver.Head;
import io.github.mssqlcdc.sqlserver.HeadLimits;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.RangeReader;
import io.github.mssqlcdc.sqlserver.RowCursor;
import io.github.mssqlcdc.sqlserver.ServerClock;
import io.github.mssqlcdc.sqlserver.SourceMarks;
import io.github.mssqlcdc.sqlserver.StartPosition;
import io.github.mssqlcdc.sqlserver.TableInstances;
import io.github.mssqlcdc.sqlserver.TileLimits;
import io.github.mssqlcdc.testkit.source.ChangingTable.Column;
import io.github.mssqlcdc.testkit.source.ChangingTable.Instance;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.CapturedColumn.Trait;
import io.github.mssqlcdc.type.SelectColumn;
import io.github.mssqlcdc.type.SqlType;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A server whose only table changes its columns, capture instances and past. */
public final class ChangingServer extends FakeTableServer {
  /** The name that the table's first instance has, and that leads to its newest without it. */
  public static final String INSTANCE = "dbo_orders";

  private static final int HEADER = 5;

  private final ChangingDatabase database;
  private Runnable beforeRead = () -> {};

  public ChangingServer(ChangingDatabase database) {
    this.database = database;
  }

  /** Runs before a read of changes begins. */
  public void beforeRead(Runnable action) {
    beforeRead = action;
  }

  private ChangingTable now() {
    return database.table();
  }

  @Override
  public CaptureInstance captureInstance(String name) {
    return now().instances().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .or(
            () ->
                name.equals(INSTANCE)
                    ? now().instances().stream().reduce((older, newer) -> newer)
                    : Optional.empty())
        .map(this::told)
        .orElseThrow(
            () ->
                new InvalidRequestException(
                    ErrorCode.UNKNOWN_CAPTURE_INSTANCE, "Unknown capture instance " + name));
  }

  private CaptureInstance told(Instance one) {
    return new CaptureInstance(
        one.name(),
        "dbo",
        "orders",
        one.changeTable(),
        now().id(),
        one.minLsn(),
        one.created(),
        List.of("id"));
  }

  @Override
  public TableInstances tableInstances(String name) {
    return new TableInstances(captureInstance(name), captureInstances());
  }

  @Override
  public List<CaptureInstance> captureInstances() {
    return now().instances().stream().map(this::told).toList();
  }

  @Override
  public List<CaptureInstance> instancesOf(CaptureInstance instance) {
    return instance.sourceTableId() == now().id() ? captureInstances() : List.of();
  }

  private Instance find(CaptureInstance instance) {
    return now().instances().stream()
        .filter(
            one ->
                one.changeTable() == instance.changeTableId()
                    && one.created().equals(instance.created()))
        .findFirst()
        .orElseThrow(
            () ->
                new CdcException(
                    ErrorCode.SOURCE_FAILED, "There is no " + instance.name() + " any more", null));
  }

  @Override
  public Optional<LocalDateTime> tableCreated(CaptureInstance instance) {
    return instance.sourceTableId() == now().id() ? Optional.of(now().created()) : Optional.empty();
  }

  @Override
  public List<DdlEntry> ddlHistory(CaptureInstance instance) {
    return List.copyOf(find(instance).ddl());
  }

  @Override
  public List<CapturedColumn> capturedColumns(CaptureInstance instance) {
    List<Column> captured = find(instance).captured();
    return captured.stream()
        .map(
            column ->
                new CapturedColumn(
                    column.name(),
                    column.id(),
                    captured.indexOf(column) + 1,
                    column.id() == 1
                        ? new SqlType("int", 0, 0, 0)
                        : new SqlType("nvarchar", 50, 0, 0),
                    null,
                    now().columns().contains(column) ? Set.of() : Set.of(Trait.DROPPED)))
        .toList();
  }

  @Override
  public ServerClock clock() {
    return new ServerClock(ZoneOffset.UTC);
  }

  @Override
  public @Nullable String clockWarning() {
    return null;
  }

  @Override
  public ServerClock clock(Lsn after, Lsn through) {
    return clock();
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
  public List<BucketCount> countBuckets(CaptureInstance of, @Nullable BucketGrid grid) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<Lsn> maxLsn() {
    return Optional.ofNullable(now().newest());
  }

  @Override
  public Duration captureLag() {
    return Duration.ZERO;
  }

  @Override
  public Optional<MapEntry> mapEntry(Lsn lsn) {
    return Optional.ofNullable(now().map().get(lsn)).map(at -> new MapEntry(lsn, at));
  }

  @Override
  public Optional<MapEntry> lastMapEntry(Lsn lsn) {
    return Optional.ofNullable(now().map().floorEntry(lsn))
        .map(entry -> new MapEntry(entry.getKey(), entry.getValue()));
  }

  @Override
  public SnapshotStamp snapshotStamp(CaptureInstance instance) {
    Lsn minLsn = find(instance).minLsn();
    Lsn newest = now().newest();
    Lsn stamp = newest == null ? minLsn.previous() : Lsn.max(newest, minLsn.previous());
    return new SnapshotStamp(stamp, mapEntry(stamp).orElse(null), newest, minLsn);
  }

  @Override
  public Head head(CaptureInstance instance, Lsn after, HeadLimits limits) {
    Instance one = find(instance);
    Lsn newest = now().newest();
    MapEntry end = null;
    long commits = 0;
    long rows = 0;
    for (Map.Entry<Lsn, LocalDateTime> entry : now().map().tailMap(after, false).entrySet()) {
      if (limits.through() != null && entry.getKey().isAfter(limits.through())
          || limits.maxCommits() != null && commits == limits.maxCommits()) {
        break;
      }
      commits++;
      rows += one.positions(entry.getKey().previous(), entry.getKey()).size();
      end = new MapEntry(entry.getKey(), entry.getValue());
    }
    boolean isCut = end != null && newest != null && end.lsn().isBefore(newest);
    Head.End found = end == null ? null : FallBacks.end(ZoneOffset.UTC, now().map(), after, end);
    return new Head(newest, found, rows > 0, isCut, Duration.ZERO);
  }

  @Override
  public ChangePlan planChanges(
      CaptureInstance instance, Lsn after, Lsn through, TileLimits limits) {
    Instance one = find(instance);
    Lsn newest = now().newest();
    return new ChangePlan(
        newest,
        now().map().get(after),
        now().map().get(through),
        Tiles.of(one.positions(after, through), limits),
        one.minLsn(),
        new SourceMarks(
            database.time(),
            now().map().get(one.minLsn()),
            newest == null ? null : now().map().get(newest)),
        one.ddl().stream()
            .filter(entry -> entry.lsn().isAfter(after) && !entry.lsn().isAfter(through))
            .toList(),
        now().instances().stream().map(Instance::changeTable).collect(Collectors.toSet()));
  }

  @Override
  public RangeReader readChanges(
      CaptureInstance instance, ChangeRange range, List<SelectColumn> columns) {
    beforeRead.run();
    Instance one = find(instance);
    Lsn newest = now().newest();
    if (newest == null || newest.isBefore(range.through())) {
      throw new SourceBehindException("behind");
    }
    List<Object[]> rows =
        one.changes().entrySet().stream()
            .filter(entry -> Tiles.contains(range, entry.getKey()))
            .map(entry -> row(one, entry.getKey(), entry.getValue(), columns))
            .toList();
    Lsn minLsn = one.minLsn();
    return new FakeReader(new FakeCursor(rows, () -> new RowCursor.Tail(minLsn, newest, 0L)));
  }

  private Object[] row(
      Instance one,
      ChangePosition position,
      Map<Integer, @Nullable String> values,
      List<SelectColumn> columns) {
    Object[] row = new Object[HEADER + columns.size()];
    row[0] = position.commit().bytes();
    row[1] = position.commandId();
    row[2] = position.seqval().bytes();
    row[3] = position.operation();
    row[4] = now().map().get(position.commit());
    for (int i = 0; i < columns.size(); i++) {
      String name = columns.get(i).name();
      Column column =
          one.captured().stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
      String value = values.get(column.id());
      row[HEADER + i] =
          column.id() == 1 ? (Object) Integer.valueOf(Objects.requireNonNull(value)) : value;
    }
    return row;
  }
}
