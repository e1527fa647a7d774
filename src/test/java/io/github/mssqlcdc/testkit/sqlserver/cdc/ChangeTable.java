package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore.Statement;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shape of {@code cdc.<instance>_CT} and the statements that write it. */
final class ChangeTable {
  static final List<String> CLUSTERED_KEY =
      List.of("__$start_lsn", "__$command_id", "__$seqval", "__$operation");
  private static final int META_COLUMNS = 6;
  private static final int ROWVERSION_BYTES = 8;

  private ChangeTable() {}

  static List<Column> columns(List<ColumnInfo> captured) {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("__$start_lsn", Types.LSN, false));
    columns.add(new Column("__$end_lsn", Types.LSN, true));
    columns.add(new Column("__$seqval", Types.LSN, false));
    columns.add(new Column("__$operation", Types.INT, false));
    columns.add(new Column("__$update_mask", DataType.of(SqlTypeName.VARBINARY, 128), true));
    for (ColumnInfo column : captured) {
      columns.add(new Column(column.name(), capturedType(column.type()), true));
    }
    columns.add(new Column("__$command_id", Types.INT, true));
    return columns;
  }

  static String insertSql(CaptureInstance instance) {
    int parameters = META_COLUMNS + instance.columns().size();
    return "INSERT INTO "
        + Sql.cdcTable(instance.changeTable())
        + " VALUES ("
        + String.join(", ", Collections.nCopies(parameters, "?"))
        + ")";
  }

  static Statement insert(
      String sql, LogLsn commit, LogLsn sequence, int commandId, ChangeRow row) {
    List<@Nullable Object> arguments = new ArrayList<>(META_COLUMNS + row.values().length);
    arguments.add(commit.bytes());
    arguments.add(null);
    arguments.add(sequence.bytes());
    arguments.add(row.operation());
    arguments.add(row.mask().bytes());
    arguments.addAll(Arrays.asList(row.values()));
    arguments.add(commandId);
    return new Statement(sql, arguments);
  }

  private static DataType capturedType(DataType type) {
    return type.name() == SqlTypeName.ROWVERSION
        ? DataType.of(SqlTypeName.BINARY, ROWVERSION_BYTES)
        : type;
  }
}
