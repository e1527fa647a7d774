package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.type.SelectColumn;
import java.util.List;
import java.util.stream.Collectors;

/**
 * T-SQL that plans and reads change rows. Both read max LSN before the rows and min LSN after them:
 * neither a lagging replica nor a cleanup on the way can look like a range without rows.
 */
final class ChangeSql {
  private static final String IN_RANGE =
      "WHERE ct.[__$start_lsn] > @after AND ct.[__$start_lsn] <= @through";

  private static final String MAP =
      "LEFT JOIN [cdc].[lsn_time_mapping] AS m ON m.[start_lsn] = ct.[__$start_lsn]";

  private ChangeSql() {}

  /**
   * Six results: max LSN and the times at start and end; the row count; the first row of each tile
   * with its place among all rows and its commit's; min LSN and the clock; DDL on the table; the
   * table's instances.
   *
   * <p>The table is looked up by its id: it may have been renamed. Without a name, the procedure
   * lists the instances of all tables.
   *
   * <p>Tiles differ by a row at most. They are cut by row number instead of NTILE, which would keep
   * all rows in a spool to count them; TOP ends that pass at the last tile's first row, so the
   * usual batch of one tile is counted and no more.
   */
  static Batch plan(ChangeTable table, Lsn after, Lsn through, TileLimits limits) {
    String from = " FROM " + table.quoted() + " AS ct ";
    return Batch.of(LsnReads.READ_COMMITTED)
        .add("DECLARE @after binary(10) = ?, @through binary(10) = ?;", after, through)
        .add("SELECT sys.fn_cdc_get_max_lsn() AS max_lsn,")
        .add(
            "(SELECT tran_end_time FROM cdc.lsn_time_mapping WHERE start_lsn = @after) AS start_at,")
        .add(
            "(SELECT tran_end_time FROM cdc.lsn_time_mapping WHERE start_lsn = @through) AS end_at;")
        .add("DECLARE @rows bigint = (SELECT COUNT_BIG(*)" + from + IN_RANGE + ");")
        .add("DECLARE @tiles bigint = ?, @floor bigint = ?;", (long) limits.most(), limits.floor())
        .add("SET @tiles = CASE WHEN @rows < @floor * 2 THEN 1")
        .add("WHEN @rows / @floor < @tiles THEN @rows / @floor ELSE @tiles END;")
        .add("SELECT @rows AS row_count;")
        .add("SELECT TOP (@tiles) t.start_lsn, t.command_id, t.seqval, t.operation, t.place,")
        .add(
            "t.commit_place FROM (SELECT ct.[__$start_lsn] AS start_lsn, "
                + table.commandId()
                + " AS command_id,")
        .add("ct.[__$seqval] AS seqval, ct.[__$operation] AS operation,")
        .add("ROW_NUMBER() OVER (" + table.order() + ") AS place,")
        .add(
            "RANK() OVER (ORDER BY ct.[__$start_lsn]) AS commit_place" + from + IN_RANGE + ") AS t")
        .add("WHERE (t.place - 1) * @tiles % NULLIF(@rows, 0) < @tiles ORDER BY t.place;")
        .add("DECLARE @min binary(10) = sys.fn_cdc_get_min_lsn(?);", table.instance().name())
        .add("SELECT @min AS min_lsn, SYSDATETIME() AS now,")
        .add("(SELECT TOP (1) tran_end_time FROM cdc.lsn_time_mapping")
        .add("WHERE start_lsn >= @min ORDER BY start_lsn) AS retention,")
        .add("(SELECT TOP (1) tran_end_time FROM cdc.lsn_time_mapping")
        .add("ORDER BY start_lsn DESC) AS newest;")
        .add("EXEC sys.sp_cdc_get_ddl_history @capture_instance = ?;", table.instance().name())
        .add("DECLARE @table int = ?;", table.instance().sourceTableId())
        .add("DECLARE @schema_name nvarchar(128) = OBJECT_SCHEMA_NAME(@table),")
        .add("@table_name nvarchar(128) = OBJECT_NAME(@table);")
        .add("EXEC sys.sp_cdc_help_change_data_capture")
        .add("@source_schema = @schema_name, @source_name = @table_name;");
  }

  /**
   * Three results: max LSN and the session's wait; the rows; min LSN, max LSN and the wait.
   *
   * @param wait T-SQL of the session's wait
   */
  static Batch range(
      ChangeTable table, ChangeRange range, List<SelectColumn> columns, String wait) {
    Batch batch = Batch.of(LsnReads.READ_COMMITTED);
    RangeParts.declare(batch, range);
    batch
        .add("SELECT sys.fn_cdc_get_max_lsn() AS max_lsn, " + wait + " AS wait_ms;")
        .add("SELECT ct.[__$start_lsn], " + table.commandId() + " AS [__$command_id],")
        .add("ct.[__$seqval], ct.[__$operation], m.[tran_end_time]")
        .add(columns.isEmpty() ? "" : ", " + SelectList.of("ct", columns));
    List<String> parts = RangeParts.of(table.instance(), range);
    if (parts.size() == 1) {
      batch.add("FROM " + table.quoted() + " AS ct").add(MAP).add("WHERE " + parts.get(0));
    } else {
      batch.add("FROM (" + union(table, parts, columns) + ") AS ct").add(MAP);
    }
    return batch
        .add(table.order() + ";")
        .add("SELECT sys.fn_cdc_get_min_lsn(?) AS min_lsn,", table.instance().name())
        .add("sys.fn_cdc_get_max_lsn() AS max_lsn, " + wait + " AS wait_ms;");
  }

  /** The parts one after the other, in the order that the statement asks for. */
  private static String union(ChangeTable table, List<String> parts, List<SelectColumn> columns) {
    String select =
        "SELECT "
            + table.positionColumns()
            + columns.stream()
                .map(column -> ", ct." + Quoting.name(column.name()))
                .collect(Collectors.joining())
            + " FROM "
            + table.quoted()
            + " AS ct WHERE ";
    return parts.stream().map(select::concat).collect(Collectors.joining("\nUNION ALL "));
  }
}
