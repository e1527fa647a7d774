package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.type.SelectColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * T-SQL that plans and reads change rows. Both read max LSN before the rows and min LSN after them:
 * neither a lagging replica nor a cleanup on the way can look like a range without rows.
 */
final class ChangeSql {
  private static final String IN_RANGE =
      "WHERE ct.[__$start_lsn] > @after AND ct.[__$start_lsn] <= @through";

  private ChangeSql() {}

  /**
   * Four results: max LSN and the times at start and end; the row count; the first row of each tile
   * with its number; min LSN and the clock.
   *
   * <p>Tiles are cut by row number instead of NTILE, which would keep all rows in a spool to count
   * them.
   */
  static Batch plan(ChangeTable table, Lsn after, Lsn through, int tiles) {
    String from = " FROM " + table.quoted() + " AS ct ";
    return Batch.of(LsnReads.READ_COMMITTED)
        .add("DECLARE @after binary(10) = ?, @through binary(10) = ?;", after, through)
        .add("SELECT sys.fn_cdc_get_max_lsn() AS max_lsn,")
        .add(
            "(SELECT tran_end_time FROM cdc.lsn_time_mapping WHERE start_lsn = @after) AS start_at,")
        .add(
            "(SELECT tran_end_time FROM cdc.lsn_time_mapping WHERE start_lsn = @through) AS end_at;")
        .add("DECLARE @rows bigint = (SELECT COUNT_BIG(*)" + from + IN_RANGE + ");")
        .add("DECLARE @tiles bigint = ?;", (long) tiles)
        .add("DECLARE @width bigint = (@rows + @tiles - 1) / @tiles;")
        .add("SELECT @rows AS row_count;")
        .add("SELECT t.start_lsn, t.command_id, t.seqval, t.operation, t.place FROM (")
        .add("SELECT ct.[__$start_lsn] AS start_lsn, " + table.commandId() + " AS command_id,")
        .add("ct.[__$seqval] AS seqval, ct.[__$operation] AS operation,")
        .add("ROW_NUMBER() OVER (" + table.order() + ") AS place" + from + IN_RANGE + ") AS t")
        .add("WHERE (t.place - 1) % NULLIF(@width, 0) = 0 ORDER BY t.place;")
        .add("DECLARE @min binary(10) = sys.fn_cdc_get_min_lsn(?);", table.instance().name())
        .add("SELECT @min AS min_lsn, SYSDATETIME() AS now,")
        .add("(SELECT TOP (1) tran_end_time FROM cdc.lsn_time_mapping")
        .add("WHERE start_lsn >= @min ORDER BY start_lsn) AS retention,")
        .add("(SELECT TOP (1) tran_end_time FROM cdc.lsn_time_mapping")
        .add("ORDER BY start_lsn DESC) AS newest;");
  }

  /**
   * Three results: max LSN and the session's wait; the rows; min LSN, max LSN and the wait.
   *
   * @param wait T-SQL of the session's wait
   */
  static Batch range(
      ChangeTable table, ChangeRange range, List<SelectColumn> columns, String wait) {
    Batch batch =
        Batch.of(LsnReads.READ_COMMITTED)
            .add(
                "DECLARE @after binary(10) = ?, @through binary(10) = ?;",
                range.after(),
                range.through());
    ChangePosition from = range.from();
    ChangePosition before = range.before();
    declare(batch, "from", from);
    declare(batch, "before", before);
    batch
        .add("SELECT sys.fn_cdc_get_max_lsn() AS max_lsn, " + wait + " AS wait_ms;")
        .add("SELECT ct.[__$start_lsn], " + table.commandId() + " AS [__$command_id],")
        .add("ct.[__$seqval], ct.[__$operation], m.[tran_end_time]")
        .add(columns.isEmpty() ? "" : ", " + SelectList.of("ct", columns))
        .add("FROM " + table.quoted() + " AS ct")
        .add("LEFT JOIN [cdc].[lsn_time_mapping] AS m ON m.[start_lsn] = ct.[__$start_lsn]")
        .add(IN_RANGE);
    if (from != null) {
      batch.add("AND (ct.[__$start_lsn] > @from_lsn OR " + notBefore(from) + ")");
    }
    if (before != null) {
      batch.add("AND (ct.[__$start_lsn] < @before_lsn OR " + before(before) + ")");
    }
    return batch
        .add(table.order() + ";")
        .add("SELECT sys.fn_cdc_get_min_lsn(?) AS min_lsn,", table.instance().name())
        .add("sys.fn_cdc_get_max_lsn() AS max_lsn, " + wait + " AS wait_ms;");
  }

  private static void declare(Batch batch, String name, @Nullable ChangePosition position) {
    if (position == null) {
      return;
    }
    batch.add(
        "DECLARE @"
            + name
            + "_lsn binary(10) = ?, @"
            + name
            + "_seqval binary(10) = ?, @"
            + name
            + "_operation int = ?;",
        position.commit(),
        position.seqval(),
        position.operation());
    Integer commandId = position.commandId();
    if (commandId != null) {
      batch.add("DECLARE @" + name + "_command int = ?;", commandId);
    }
  }

  /** Rows of the range's commits at or after the position; NULL command ids come first. */
  private static String notBefore(ChangePosition from) {
    String inCommand =
        "(ct.[__$seqval] > @from_seqval"
            + " OR (ct.[__$seqval] = @from_seqval AND ct.[__$operation] >= @from_operation))";
    return from.commandId() == null
        ? "ct.[__$command_id] IS NOT NULL OR " + inCommand
        : "ct.[__$command_id] > @from_command"
            + " OR (ct.[__$command_id] = @from_command AND "
            + inCommand
            + ")";
  }

  /** Rows of the range's commits before the position; NULL command ids come first. */
  private static String before(ChangePosition before) {
    String inCommand =
        "(ct.[__$seqval] < @before_seqval"
            + " OR (ct.[__$seqval] = @before_seqval AND ct.[__$operation] < @before_operation))";
    return before.commandId() == null
        ? "(ct.[__$command_id] IS NULL AND " + inCommand + ")"
        : "ct.[__$command_id] IS NULL OR ct.[__$command_id] < @before_command"
            + " OR (ct.[__$command_id] = @before_command AND "
            + inCommand
            + ")";
  }
}
