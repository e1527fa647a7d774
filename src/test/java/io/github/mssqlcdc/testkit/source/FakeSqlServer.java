package io.github.mssqlcdc.testkit.source;

import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.BucketCount;
import io.github.mssqlcdc.sqlserver.BucketGrid;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.ChangePlan;
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
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.SelectColumn;
import io.github.mssqlcdc.type.SqlType;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A database with one CDC table {@code dbo.orders (id int, name nvarchar)} in memory: commits are
 * captured as they are made. Its clock is UTC-3. Thread-safe as far as one writer and readers go.
 */
public final class FakeSqlServer extends FakeTableServer {
  public static final LocalDateTime EPOCH = LocalDateTime.of(2026, 11, 1, 12, 0);
  public static final ZoneId ZONE = ZoneId.of("-03:00");

  private final NavigableMap<Lsn, LocalDateTime> map = new TreeMap<>();
  private final FakeChanges changes = new FakeChanges(map);
  private Lsn minLsn = lsn(10);
  private List<String> keyColumns = List.of("id");
  private final List<Integer> asked = new CopyOnWriteArrayList<>();
  private LocalDateTime now = EPOCH;
  private ZoneId zone = ZONE;
  private @Nullable String clockWarning;
  private LocalDateTime created = EPOCH;
  private volatile Duration captureLag = Duration.ofSeconds(3);
  private Runnable beforeTail = () -> {};
  private Runnable beforeMaxLsn = () -> {};
  private Runnable beforeRead = () -> {};

  /** LSNs of commits are whole numbers here; there are others in between. */
  public static Lsn lsn(int number) {
    return new Lsn(number, 5);
  }

  /**
   * One commit of as many inserts, a minute after the one before; its LSN is the next whole one.
   */
  public synchronized Lsn insert(int... ids) {
    Lsn lsn = idle();
    int place = 0;
    for (int id : ids) {
      add(new ChangePosition(lsn, ++place, new Lsn(lsn.high(), place), 2), id, "row " + id);
      table.put(id, "row " + id);
    }
    return lsn;
  }

  /** One commit that gives a row a name, or makes it; a minute after the one before. */
  public synchronized Lsn put(int id, String name) {
    Lsn lsn = idle();
    add(new ChangePosition(lsn, 1, new Lsn(lsn.high(), 1), 4), id, name);
    table.put(id, name);
    return lsn;
  }

  /** One commit that deletes a row. */
  public synchronized Lsn delete(int id) {
    Lsn lsn = idle();
    add(new ChangePosition(lsn, 1, new Lsn(lsn.high(), 1), 1), id, "");
    table.remove(id);
    return lsn;
  }

  /** The rows of the table, by id. */
  public synchronized Map<Integer, String> rows() {
    return table.rows();
  }

  /** A commit that touches no row of the table. */
  public synchronized Lsn idle() {
    Lsn lsn = map.isEmpty() ? lsn(10) : new Lsn(map.lastKey().high() + 1, 5);
    now = now.plusMinutes(1);
    map.put(lsn, now);
    return lsn;
  }

  public synchronized void add(ChangePosition position, int id, String name) {
    changes.add(position, id, name);
  }

  /** Sets the map's time of a commit. */
  public synchronized void setTime(Lsn lsn, LocalDateTime at) {
    map.put(lsn, at);
    changes.takeTimes();
  }

  /** Cleanup: everything below the mark is gone. */
  public synchronized void purge(Lsn mark) {
    purge(mark, mark);
  }

  /** Cleanup where another instance of the database still needs what is above its own mark. */
  public synchronized void purge(Lsn mark, Lsn lowest) {
    minLsn = mark;
    map.headMap(lowest, false).clear();
    changes.purge(mark);
  }

  /** The instance is disabled and created again: it begins after the newest commit. */
  public synchronized void recreate(LocalDateTime at) {
    created = at;
    changes.clear();
    minLsn = idle();
  }

  /** The LSN map loses all its entries, as on a database where nothing happens. */
  public synchronized void emptyMap() {
    map.clear();
  }

  public void setCaptureLag(Duration lag) {
    captureLag = lag;
  }

  /** Runs before max LSN is read on its own. */
  public void beforeMaxLsn(Runnable action) {
    beforeMaxLsn = action;
  }

  /** Runs before what follows the rows of a read is taken. */
  public void beforeTail(Runnable action) {
    beforeTail = action;
  }

  /** Runs before a read of changes begins. */
  public void beforeRead(Runnable action) {
    beforeRead = action;
  }

  /** The unique index; none without columns. */
  public synchronized void setKeyColumns(String... names) {
    keyColumns = List.of(names);
  }

  /** How many tiles each plan was to have at most. */
  public List<Integer> tiles() {
    return asked;
  }

  public synchronized void setMinLsn(Lsn lsn) {
    minLsn = lsn;
  }

  @Override
  public CaptureInstance captureInstance(String name) {
    calls.add("captureInstance");
    return new CaptureInstance("dbo_orders", "dbo", "orders", 1, 2, minLsn, created, keyColumns);
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
  public List<CaptureInstance> instancesOf(CaptureInstance instance) {
    return List.of(captureInstance(instance.name()));
  }

  @Override
  public List<CapturedColumn> capturedColumns(CaptureInstance instance) {
    calls.add("capturedColumns");
    return List.of(
        new CapturedColumn("id", 1, 1, new SqlType("int", 0, 0, 0)),
        new CapturedColumn("name", 2, 2, new SqlType("nvarchar", 50, 0, 0)));
  }

  /** The zone of its clock. */
  public synchronized void setZone(ZoneId newZone) {
    zone = newZone;
  }

  /** What its clock can't tell. */
  public synchronized void setClockWarning(String warning) {
    clockWarning = warning;
  }

  @Override
  public synchronized ServerClock clock() {
    return new ServerClock(zone);
  }

  @Override
  public synchronized @Nullable String clockWarning() {
    return clockWarning;
  }

  @Override
  public synchronized ServerClock clock(Lsn after, Lsn through) {
    calls.add("clock");
    return FallBacks.clock(zone, map, after, through);
  }

  @Override
  public synchronized LocalDateTime commitTs(MapEntry entry) {
    return FallBacks.clock(zone, map, entry.lsn().previous(), entry.lsn()).toUtc(entry);
  }

  @Override
  public StartPosition copyAt(CaptureInstance of, Instant asOf, Duration margin) {
    throw new UnsupportedOperationException();
  }

  @Override
  public synchronized StartPosition startAt(CaptureInstance instance, Instant time) {
    calls.add("startAt");
    LocalDateTime utc = LocalDateTime.ofInstant(time, ZoneOffset.UTC);
    for (Map.Entry<Lsn, LocalDateTime> entry : map.entrySet()) {
      if (!commitTs(new MapEntry(entry.getKey(), entry.getValue())).isBefore(utc)) {
        return new StartPosition(entry.getKey().previous(), null);
      }
    }
    Lsn last = map.lastKey();
    return new StartPosition(last, new MapEntry(last, map.get(last)));
  }

  @Override
  public synchronized Optional<Lsn> maxLsn() {
    calls.add("maxLsn");
    beforeMaxLsn.run();
    return Optional.ofNullable(newest());
  }

  @Override
  public Duration captureLag() {
    return captureLag;
  }

  @Override
  public synchronized Optional<MapEntry> mapEntry(Lsn lsn) {
    calls.add("mapEntry");
    return Optional.ofNullable(map.get(lsn)).map(at -> new MapEntry(lsn, at));
  }

  @Override
  public synchronized Optional<MapEntry> lastMapEntry(Lsn lsn) {
    calls.add("lastMapEntry");
    return Optional.ofNullable(map.floorEntry(lsn))
        .map(entry -> new MapEntry(entry.getKey(), entry.getValue()));
  }

  @Override
  public synchronized SnapshotStamp snapshotStamp(CaptureInstance instance) {
    calls.add("snapshotStamp");
    Lsn first = minLsn.previous();
    Lsn newest = newest();
    Lsn stamp = newest == null ? first : Lsn.max(newest, first);
    LocalDateTime at = map.get(stamp);
    return new SnapshotStamp(stamp, at == null ? null : new MapEntry(stamp, at), newest, minLsn);
  }

  @Override
  public synchronized Head head(CaptureInstance instance, Lsn after, HeadLimits limits) {
    calls.add("head");
    Lsn newest = newest();
    FakeChanges.Reach reach = changes.reach(after, limits);
    MapEntry end = reach.end();
    boolean isCut = end != null && newest != null && end.lsn().isBefore(newest);
    Head.End found = end == null ? null : FallBacks.end(zone, map, after, end);
    return new Head(newest, found, reach.rows() > 0, isCut, Duration.ofMillis(2));
  }

  @Override
  public synchronized ChangePlan planChanges(
      CaptureInstance instance, Lsn after, Lsn through, TileLimits limits) {
    calls.add("planChanges");
    asked.add(limits.most());
    List<ChangePlan.Tile> planned = Tiles.of(changes.positions(after, through), limits);
    Lsn newest = newest();
    return new ChangePlan(
        newest,
        map.get(after),
        map.get(through),
        planned,
        minLsn,
        new SourceMarks(
            now.plusSeconds(3), map.get(minLsn), newest == null ? null : map.get(newest)),
        List.of(),
        Set.of(1));
  }

  @Override
  public RangeReader readChanges(
      CaptureInstance instance, ChangeRange range, List<SelectColumn> columns) {
    calls.add("readChanges");
    beforeRead.run();
    synchronized (this) {
      Lsn newest = newest();
      if (newest == null || newest.isBefore(range.through())) {
        throw new SourceBehindException("behind");
      }
      return new FakeReader(
          new FakeCursor(
              changes.read(range, columns),
              () -> {
                beforeTail.run();
                return new RowCursor.Tail(minLsn, newest(), 4L);
              }));
    }
  }

  private Lsn newest() {
    return map.isEmpty() ? null : map.lastKey();
  }
}
