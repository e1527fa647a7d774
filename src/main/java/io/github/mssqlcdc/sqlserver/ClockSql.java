package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;

/** T-SQL that reads the LSN map for its times. */
final class ClockSql {
  /** The one form of a datetime that no language setting changes. */
  private static final DateTimeFormatter ISO = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");

  private static final int JITTER = (int) FallBack.JITTER.toSeconds();

  private ClockSql() {}

  /** One row: the smallest and the largest time of (after, through], and the server's own. */
  static Batch times(Lsn after, Lsn through) {
    return Batch.of(LsnReads.READ_COMMITTED)
        .add("DECLARE @after binary(10) = ?, @through binary(10) = ?;", after, through)
        .add("SELECT MIN(tran_end_time) AS earliest_at, MAX(tran_end_time) AS latest_at,")
        .add(ServerTime.COLUMNS)
        .add("FROM cdc.lsn_time_mapping WHERE start_lsn > @after AND start_lsn <= @through;");
  }

  /**
   * A row for each overlap: the first LSN after the clock went back, the first from which on the
   * second pass is under way, and the latest time of the second pass in (after, through].
   *
   * <p>Only entries of an hour before the overlap to an hour after it are looked at.
   */
  static Batch fallBacks(List<ZoneOffsetTransition> overlaps, Lsn after, Lsn through) {
    Batch batch =
        Batch.of(LsnReads.READ_COMMITTED)
            .add("DECLARE @after binary(10) = ?, @through binary(10) = ?;", after, through)
            .add("DECLARE @begin datetime, @end datetime;")
            .add("DECLARE @first binary(10), @last binary(10);")
            .add("DECLARE @step binary(10), @settled binary(10);");
    for (ZoneOffsetTransition overlap : overlaps) {
      batch
          .add("SET @begin = CAST(? AS datetime);", datetime(overlap.getDateTimeAfter()))
          .add("SET @end = CAST(? AS datetime);", datetime(overlap.getDateTimeBefore()));
      bounds(batch);
      step(batch);
      batch
          .add("SELECT @step AS step_lsn, @settled AS settled_lsn,")
          .add("(SELECT MAX(tran_end_time) FROM cdc.lsn_time_mapping")
          .add("WHERE start_lsn >= @step AND start_lsn > @after AND start_lsn <= @through")
          .add("AND tran_end_time >= @begin AND tran_end_time <= @end")
          .add("AND (start_lsn >= @settled OR tran_end_time < DATEADD(second, ?, @end)))", -JITTER)
          .add("AS latest_at;");
    }
    return batch;
  }

  private static void bounds(Batch batch) {
    for (String side : List.of("SET @first = (SELECT MIN", "SET @last = (SELECT MAX")) {
      batch
          .add(side + "(start_lsn) FROM cdc.lsn_time_mapping")
          .add("WHERE tran_end_time >= DATEADD(hour, -1, @begin)")
          .add("AND tran_end_time <= DATEADD(hour, 1, @end));");
    }
  }

  private static void step(Batch batch) {
    batch
        .add("SET @step = (SELECT TOP (1) m.start_lsn FROM (")
        .add("SELECT start_lsn, tran_end_time,")
        .add("LAG(tran_end_time) OVER (ORDER BY start_lsn) AS previous_at")
        .add("FROM cdc.lsn_time_mapping WHERE start_lsn >= @first AND start_lsn <= @last) AS m")
        .add("WHERE m.tran_end_time >= @begin AND m.tran_end_time <= @end")
        .add("AND m.tran_end_time < DATEADD(second, ?, m.previous_at)", -JITTER)
        .add("AND m.previous_at <= DATEADD(hour, 1, @end) ORDER BY m.start_lsn);")
        .add("SET @settled = (SELECT MIN(start_lsn) FROM cdc.lsn_time_mapping")
        .add("WHERE start_lsn >= @step AND start_lsn <= @last")
        .add("AND tran_end_time >= DATEADD(second, ?, @begin)", 2 * JITTER)
        .add("AND tran_end_time < DATEADD(second, ?, @end));", -2 * JITTER);
  }

  /**
   * One row: max LSN and its time, the instance's min LSN and the time from it on, the first entry
   * not before a local time, and the server's own time.
   */
  static Batch start(CaptureInstance instance, LocalDateTime from) {
    return Batch.of(LsnReads.READ_COMMITTED)
        .add("DECLARE @max binary(10) = sys.fn_cdc_get_max_lsn();")
        .add("DECLARE @min binary(10) = sys.fn_cdc_get_min_lsn(?);", instance.name())
        .add("DECLARE @from datetime = CAST(? AS datetime);", datetime(from))
        .add("DECLARE @first binary(10) = (SELECT MIN(start_lsn) FROM cdc.lsn_time_mapping")
        .add("WHERE tran_end_time >= @from);")
        .add("SELECT @max AS max_lsn,")
        .add("(SELECT tran_end_time FROM cdc.lsn_time_mapping WHERE start_lsn = @max) AS max_at,")
        .add("@min AS min_lsn, (SELECT TOP (1) tran_end_time FROM cdc.lsn_time_mapping")
        .add("WHERE start_lsn >= @min ORDER BY start_lsn) AS min_at,")
        .add("@first AS first_lsn, (SELECT tran_end_time FROM cdc.lsn_time_mapping")
        .add("WHERE start_lsn = @first) AS first_at,")
        .add(ServerTime.COLUMNS + ";");
  }

  /**
   * One row: the instance's min LSN and its entry's time, where the entries that count end, the
   * last one before, and the server's own time.
   *
   * <p>They end at the first entry later than a local time, or at a step back of the clock before
   * it, within an hour of that time: the clock may have shown the time before the step, without an
   * entry. An instance's creation has an entry, too, that is backdated: it is no step, and isn't
   * the last one.
   */
  static Batch copy(CaptureInstance instance, LocalDateTime from) {
    Batch batch =
        Batch.of(LsnReads.READ_COMMITTED)
            .add("DECLARE @min binary(10) = sys.fn_cdc_get_min_lsn(?);", instance.name())
            .add("DECLARE @from datetime = CAST(? AS datetime);", datetime(from))
            .add("DECLARE @later binary(10) = (SELECT MIN(start_lsn) FROM cdc.lsn_time_mapping")
            .add("WHERE tran_end_time > @from);")
            .add("DECLARE @begin binary(10) = (SELECT MIN(start_lsn) FROM cdc.lsn_time_mapping")
            .add("WHERE tran_end_time >= DATEADD(hour, -1, @from));")
            .add("DECLARE @end binary(10) = COALESCE(@later, 0xFFFFFFFFFFFFFFFFFFFF);");
    neighbours(batch.add("DECLARE @step binary(10) = (SELECT MIN(m.start_lsn) FROM ("))
        .add("WHERE m.tran_id <> 0x00")
        .add("AND m.tran_end_time < DATEADD(second, ?, m.previous_at));", -JITTER)
        .add("SET @end = COALESCE(@step, @end);");
    neighbours(batch.add("DECLARE @last binary(10) = (SELECT MAX(m.start_lsn) FROM ("))
        .add("WHERE m.tran_id IS NULL OR m.tran_id <> 0x00 OR m.previous_at IS NULL")
        .add("OR m.tran_end_time >= DATEADD(second, ?, m.previous_at));", -JITTER)
        .add("SET @last = COALESCE(@last, (SELECT MAX(start_lsn) FROM cdc.lsn_time_mapping")
        .add("WHERE start_lsn < @end));");
    return batch
        .add("SELECT @min AS min_lsn, (SELECT tran_end_time FROM cdc.lsn_time_mapping")
        .add("WHERE start_lsn = @min) AS min_at,")
        .add("COALESCE(@step, @later) AS end_lsn,")
        .add("@last AS last_lsn, (SELECT tran_end_time FROM cdc.lsn_time_mapping")
        .add("WHERE start_lsn = @last) AS last_at,")
        .add(ServerTime.COLUMNS + ";");
  }

  private static Batch neighbours(Batch batch) {
    return batch
        .add("SELECT start_lsn, tran_id, tran_end_time,")
        .add("LAG(tran_end_time) OVER (ORDER BY start_lsn) AS previous_at")
        .add("FROM cdc.lsn_time_mapping WHERE start_lsn >= @begin AND start_lsn < @end) AS m");
  }

  /** Cut to the second: rounding to a datetime must not skip what was just before. */
  private static String datetime(LocalDateTime time) {
    return ISO.format(time);
  }
}
