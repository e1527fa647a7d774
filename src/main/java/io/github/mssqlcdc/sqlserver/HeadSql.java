package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import org.jspecify.annotations.Nullable;

/** T-SQL of the poll: max LSN first, then what follows a position up to it, in one batch. */
final class HeadSql {
  private HeadSql() {}

  /**
   * One row: max LSN, end, its time, the latest time up to it, whether the table has rows, the
   * earliest time, the server's own time, the newest entry's and now.
   */
  static Batch head(ChangeTable table, Lsn after, HeadLimits limits) {
    Batch batch =
        Batch.of(LsnReads.READ_COMMITTED)
            .add("DECLARE @max binary(10) = sys.fn_cdc_get_max_lsn();")
            .add("DECLARE @after binary(10) = ?;", after);
    through(batch, limits.through());
    end(batch, limits.maxCommits());
    Long maxRows = limits.maxRows();
    if (maxRows != null) {
      capRows(batch, table, maxRows);
    }
    return batch
        .add("SELECT @max AS max_lsn, @end AS end_lsn,")
        .add("(SELECT tran_end_time FROM cdc.lsn_time_mapping WHERE start_lsn = @end) AS end_at,")
        .add("t.latest_at, CASE WHEN EXISTS (SELECT 1 FROM " + table.quoted() + " AS ct")
        .add("WHERE ct.[__$start_lsn] > @after AND ct.[__$start_lsn] <= @end)")
        .add("THEN 1 ELSE 0 END AS has_rows, t.earliest_at,")
        .add(ServerTime.COLUMNS + ",")
        .add(CaptureWatch.COLUMNS)
        .add("FROM (SELECT MIN(tran_end_time) AS earliest_at, MAX(tran_end_time) AS latest_at")
        .add("FROM cdc.lsn_time_mapping WHERE start_lsn > @after AND start_lsn <= @end) AS t;");
  }

  private static void through(Batch batch, @Nullable Lsn through) {
    if (through == null) {
      batch.add("DECLARE @through binary(10) = @max;");
    } else {
      batch
          .add("DECLARE @through binary(10) = ?;", through)
          .add("SET @through = CASE WHEN @through < @max THEN @through ELSE @max END;");
    }
  }

  private static void end(Batch batch, @Nullable Long maxCommits) {
    if (maxCommits == null) {
      batch
          .add("DECLARE @end binary(10) = (SELECT MAX(start_lsn) FROM cdc.lsn_time_mapping")
          .add("WHERE start_lsn > @after AND start_lsn <= @through);");
    } else {
      batch
          .add("DECLARE @end binary(10) = (SELECT MAX(c.start_lsn) FROM (")
          .add("SELECT TOP (?) start_lsn FROM cdc.lsn_time_mapping", maxCommits)
          .add("WHERE start_lsn > @after AND start_lsn <= @through ORDER BY start_lsn) AS c);");
    }
  }

  /**
   * The commit that holds the first row too many ends the batch before it, at the last entry of the
   * map; if no commit of the table lies before, it is too big for any batch and goes alone.
   */
  private static void capRows(Batch batch, ChangeTable table, long maxRows) {
    String name = table.quoted();
    batch
        .add("DECLARE @rows bigint = ?;", maxRows)
        .add("DECLARE @cut binary(10) = (")
        .add("SELECT CASE WHEN COUNT_BIG(*) > @rows THEN MAX(f.start_lsn) END FROM (")
        .add("SELECT TOP (?) ct.[__$start_lsn] AS start_lsn FROM " + name + " AS ct", maxRows + 1)
        .add("WHERE ct.[__$start_lsn] > @after AND ct.[__$start_lsn] <= @end")
        .add("ORDER BY ct.[__$start_lsn]) AS f);")
        .add("SET @end = CASE WHEN @cut IS NULL THEN @end")
        .add("WHEN EXISTS (SELECT 1 FROM " + name + " AS ct")
        .add("WHERE ct.[__$start_lsn] > @after AND ct.[__$start_lsn] < @cut)")
        .add("THEN (SELECT MAX(start_lsn) FROM cdc.lsn_time_mapping")
        .add("WHERE start_lsn > @after AND start_lsn < @cut) ELSE @cut END;");
  }
}
