package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.ChangePlan.Tile;
import io.github.mssqlcdc.sqlserver.ClockReads.RawTimes;
import io.github.mssqlcdc.sqlserver.Database.Purpose;
import io.github.mssqlcdc.type.SelectColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds, plans and reads change rows. Thread-safe. */
final class ChangeReads {
  /** Counting a long backlog takes its time. */
  private static final Duration PLAN_TIMEOUT = Duration.ofMinutes(10);

  private final Database database;
  private final MaxLsnPoll poll;
  private final CaptureWatch capture;
  private final ClockReads clocks;
  private final SessionWaits waits;
  private final Duration pollInterval;
  private final Duration pollTimeout;

  ChangeReads(
      Database database,
      MaxLsnPoll poll,
      CaptureWatch capture,
      ClockReads clocks,
      SessionWaits waits,
      Duration pollInterval,
      Duration pollTimeout) {
    this.database = database;
    this.poll = poll;
    this.capture = capture;
    this.clocks = clocks;
    this.waits = waits;
    this.pollInterval = pollInterval;
    this.pollTimeout = pollTimeout;
  }

  Head head(CaptureInstance instance, Lsn after, HeadLimits limits) {
    return poll.ask(
        after,
        pollInterval,
        idle -> new Head(idle.max(), null, false, false, Duration.ZERO),
        () -> asked(instance, after, limits));
  }

  private Head asked(CaptureInstance instance, Lsn after, HeadLimits limits) {
    Poll found =
        database.query(
            new Purpose("find the changes of " + instance.name() + " after " + after, instance),
            pollTimeout,
            HeadSql.head(new ChangeTable(instance), after, limits),
            results -> poll(after, results));
    capture.observe(found.newest());
    return new Head(found.maxLsn(), end(found), found.hasRows(), found.isCut(), found.roundTrip());
  }

  ChangePlan plan(CaptureInstance instance, Lsn after, Lsn through, TileLimits limits) {
    return database.query(
        new Purpose(
            "plan the changes (" + after + ", " + through + "] of " + instance.name(), instance),
        PLAN_TIMEOUT,
        ChangeSql.plan(new ChangeTable(instance), after, through, limits),
        results -> plan(instance, after, through, results));
  }

  RangeReader read(CaptureInstance instance, ChangeRange range, List<SelectColumn> columns) {
    return new JdbcRangeReader(
        database,
        new Purpose("read the changes " + range + " of " + instance.name(), instance),
        waits,
        new ChangeRest(new ChangeTable(instance), range, columns),
        maxLsn -> requireAtLeast(range.through(), maxLsn, instance));
  }

  static void requireAtLeast(Lsn expected, @Nullable Lsn maxLsn, CaptureInstance instance) {
    if (maxLsn == null || maxLsn.isBefore(expected)) {
      throw new SourceBehindException(
          "Cannot read "
              + instance.name()
              + " up to "
              + expected
              + ": the server's max LSN is "
              + (maxLsn == null ? "unknown, its LSN map is empty" : maxLsn)
              + ". A lagging replica answers so; it may catch up. If it stays, the database was"
              + " restored or CDC was enabled anew");
    }
  }

  private Poll poll(Lsn after, Results results) throws SQLException {
    long sentAt = poll.now();
    ResultSet row = results.nextRow();
    Lsn max = Results.lsn(row, 1);
    Lsn end = Results.lsn(row, 2);
    Poll found =
        new Poll(
            max,
            Results.time(row, 3),
            end == null ? null : times(after, end, row),
            row.getInt(5) == 1,
            LsnReads.newest(max, row, 9),
            Duration.ofNanos(poll.now() - sentAt));
    poll.publish(max, sentAt);
    return found;
  }

  private static RawTimes times(Lsn after, Lsn end, ResultSet row) throws SQLException {
    return new RawTimes(
        after,
        end,
        Objects.requireNonNull(Results.time(row, 6)),
        Objects.requireNonNull(Results.time(row, 4)),
        ServerTime.of(row, 7));
  }

  private Head.@Nullable End end(Poll found) {
    RawTimes raw = found.times();
    if (raw == null) {
      return null;
    }
    ClockReads.Times times = clocks.times(raw);
    MapEntry entry = new MapEntry(raw.through(), Objects.requireNonNull(found.endAt()));
    return new Head.End(entry, times.latest(), times.clock());
  }

  /**
   * A poll's answer.
   *
   * @param endAt raw time of the end's entry; null without an end
   * @param times of the entries up to the end; null without an end
   * @param newest what it tells of capture
   */
  private record Poll(
      @Nullable Lsn maxLsn,
      @Nullable LocalDateTime endAt,
      @Nullable RawTimes times,
      boolean hasRows,
      CaptureWatch.Newest newest,
      Duration roundTrip) {

    boolean isCut() {
      return times != null && maxLsn != null && times.through().isBefore(maxLsn);
    }
  }

  /** An empty map is left to the caller, who knows more causes. */
  private ChangePlan plan(CaptureInstance instance, Lsn after, Lsn through, Results results)
      throws SQLException {
    long sentAt = poll.now();
    ResultSet head = results.nextRow();
    Lsn max = Results.lsn(head, 1);
    LocalDateTime startAt = Results.time(head, 2);
    LocalDateTime endAt = Results.time(head, 3);
    poll.publish(max, sentAt);
    if (max != null && through.isAfter(after)) {
      requireAtLeast(through, max, instance);
    }
    long rows = results.nextRow().getLong(1);
    List<Tile> tiles = tiles(results.next(), rows);
    ResultSet tail = results.nextRow();
    Lsn min = Results.lsnOrNone(tail, 1);
    SourceMarks marks =
        new SourceMarks(
            Objects.requireNonNull(Results.time(tail, 2)),
            min == null ? null : Results.time(tail, 3),
            Results.time(tail, 4));
    List<DdlEntry> ddl =
        ddl(results.next()).stream()
            .filter(entry -> entry.lsn().isAfter(after) && !entry.lsn().isAfter(through))
            .toList();
    Set<Integer> instances = instances(results.next(), instance);
    return new ChangePlan(max, startAt, endAt, tiles, min, marks, ddl, instances);
  }

  List<DdlEntry> ddlHistory(CaptureInstance instance) {
    return database.query(
        new Purpose("read the DDL history of " + instance.name(), instance),
        pollTimeout,
        Batch.of("EXEC sys.sp_cdc_get_ddl_history @capture_instance = ?;", instance.name()),
        results -> ddl(results.next()));
  }

  private static List<DdlEntry> ddl(ResultSet row) throws SQLException {
    List<DdlEntry> entries = new ArrayList<>();
    while (row.next()) {
      Lsn lsn = Objects.requireNonNull(Results.lsn(row, 6));
      String statement = row.getString(5);
      entries.add(new DdlEntry(lsn, statement == null ? "" : statement.strip()));
    }
    entries.sort(Comparator.comparing(DdlEntry::lsn));
    return entries;
  }

  private static Set<Integer> instances(ResultSet row, CaptureInstance one) throws SQLException {
    Set<Integer> changeTables = new HashSet<>();
    while (row.next()) {
      if (row.getInt(5) == one.sourceTableId() && Results.lsnOrNone(row, 6) != null) {
        changeTables.add(row.getInt(4));
      }
    }
    return changeTables;
  }

  private static List<Tile> tiles(ResultSet firstRows, long rows) throws SQLException {
    List<TileStart> starts = new ArrayList<>();
    while (firstRows.next()) {
      starts.add(TileStart.of(firstRows));
    }
    List<Tile> tiles = new ArrayList<>();
    for (int i = 0; i < starts.size(); i++) {
      TileStart start = starts.get(i);
      long end = i + 1 < starts.size() ? starts.get(i + 1).place() : rows + 1;
      // the count came first: if cleanup ran since, the guard says so, not this number
      tiles.add(
          new Tile(
              start.first(),
              Math.max(1, end - start.place()),
              start.place() - start.commitPlace()));
    }
    return tiles;
  }

  /**
   * A row of the plan's answer.
   *
   * @param place the row's among the batch's, from 1
   * @param commitPlace that of its commit's first row
   */
  private record TileStart(ChangePosition first, long place, long commitPlace) {

    static TileStart of(ResultSet row) throws SQLException {
      ChangePosition first =
          new ChangePosition(
              Objects.requireNonNull(Results.lsn(row, 1)),
              Results.integer(row, 2),
              Objects.requireNonNull(Results.lsn(row, 3)),
              row.getInt(4));
      return new TileStart(first, row.getLong(5), row.getLong(6));
    }
  }
}
