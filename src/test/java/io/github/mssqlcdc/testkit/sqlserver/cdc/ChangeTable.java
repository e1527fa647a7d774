package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.CommandIds;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore.Statement;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shape of {@code cdc.<instance>_CT} and the statements that write it. */
final class ChangeTable {
  private static final String COMMAND_ID = "__$command_id";
  private static final int ROWVERSION_BYTES = 8;

  private ChangeTable() {}

  /** Its clustered key; without command ids, their column is left out. */
  static List<String> clusteredKey(CommandIds commandIds) {
    return commandIds == CommandIds.COLUMN
        ? List.of("__$start_lsn", COMMAND_ID, "__$seqval", "__$operation")
        : List.of("__$start_lsn", "__$seqval", "__$operation");
  }

  static List<Column> columns(List<ColumnInfo> captured, CommandIds commandIds) {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("__$start_lsn", Types.LSN, false));
    columns.add(new Column("__$end_lsn", Types.LSN, true));
    columns.add(new Column("__$seqval", Types.LSN, false));
    columns.add(new Column("__$operation", Types.INT, false));
    columns.add(new Column("__$update_mask", DataType.of(SqlTypeName.VARBINARY, 128), true));
    for (ColumnInfo column : captured) {
      columns.add(new Column(column.name(), capturedType(column.type()), true));
    }
    if (commandIds == CommandIds.COLUMN) {
      columns.add(new Column(COMMAND_ID, Types.INT, true));
    }
    return columns;
  }

  static String insertSql(CaptureInstance instance, CommandIds commandIds) {
    int parameters = columns(instance.columns(), commandIds).size();
    return "INSERT INTO "
        + Sql.cdcTable(instance.changeTable())
        + " VALUES ("
        + String.join(", ", Collections.nCopies(parameters, "?"))
        + ")";
  }

  /**
   * @param commandId null: the table has no such column
   */
  static Statement insert(
      String sql, LogLsn commit, LogLsn sequence, @Nullable Integer commandId, ChangeRow row) {
    List<@Nullable Object> arguments = new ArrayList<>();
    arguments.add(commit.bytes());
    arguments.add(null);
    arguments.add(sequence.bytes());
    arguments.add(row.operation());
    arguments.add(row.mask().bytes());
    arguments.addAll(Arrays.asList(row.values()));
    if (commandId != null) {
      arguments.add(commandId);
    }
    return new Statement(sql, arguments);
  }

  static DataType capturedType(DataType type) {
    return type.name() == SqlTypeName.ROWVERSION
        ? DataType.of(SqlTypeName.BINARY, ROWVERSION_BYTES)
        : type;
  }
}
