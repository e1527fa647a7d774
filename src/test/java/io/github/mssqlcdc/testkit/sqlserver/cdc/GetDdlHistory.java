package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code sys.sp_cdc_get_ddl_history}. */
final class GetDdlHistory extends CdcProcedure {
  private static final List<Column> COLUMNS =
      List.of(
          new Column("source_schema", Types.SYSNAME, true),
          new Column("source_table", Types.SYSNAME, true),
          new Column("capture_instance", Types.SYSNAME, false),
          new Column("required_column_update", Types.BIT, true),
          new Column("ddl_command", Types.LONG_TEXT, true),
          new Column("ddl_lsn", Types.LSN, false),
          new Column("ddl_time", Types.DATETIME, true));

  GetDdlHistory(CdcDatabase database) {
    super(database, "sp_cdc_get_ddl_history", "@capture_instance");
  }

  @Override
  int run(SessionContext session, Arguments arguments, ResponseSink out) throws SqlServerError {
    CaptureInstance instance = readable(session, arguments);
    ResultSet result = new ResultSet(out, COLUMNS);
    for (@Nullable Object[] row : database().metadata().ddlHistory(instance)) {
      result.row(
          database().source(instance).schema(),
          database().source(instance).name(),
          instance.name(),
          row[0],
          ColumnValues.text(row[1]),
          row[2],
          ColumnValues.time(row[3]));
    }
    result.end();
    return 0;
  }
}
