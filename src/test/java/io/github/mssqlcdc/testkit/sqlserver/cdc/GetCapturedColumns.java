package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import java.util.List;

/** {@code sys.sp_cdc_get_captured_columns}. */
final class GetCapturedColumns extends CdcProcedure {
  private static final List<Column> COLUMNS =
      List.of(
          new Column("source_schema", Types.SYSNAME, true),
          new Column("source_table", Types.SYSNAME, true),
          new Column("capture_instance", Types.SYSNAME, false),
          new Column("column_name", Types.SYSNAME, false),
          new Column("column_id", Types.INT, true),
          new Column("column_ordinal", Types.INT, false),
          new Column("data_type", Types.SYSNAME, true),
          new Column("character_maximum_length", Types.INT, true),
          new Column("numeric_precision", Types.TINYINT, true),
          new Column("numeric_precision_radix", Types.SMALLINT, true),
          new Column("numeric_scale", Types.INT, true),
          new Column("datetime_precision", Types.SMALLINT, true));

  GetCapturedColumns(CdcDatabase database) {
    super(database, "sp_cdc_get_captured_columns", "@capture_instance");
  }

  @Override
  int run(SessionContext session, Arguments arguments, ResponseSink out) throws SqlServerError {
    CaptureInstance instance = readable(session, arguments);
    ResultSet result = new ResultSet(out, COLUMNS);
    for (int i = 0; i < instance.columns().size(); i++) {
      ColumnInfo column = instance.columns().get(i);
      TypeFacts facts = TypeFacts.of(column.type());
      result.row(
          database().source(instance).schema(),
          database().source(instance).name(),
          instance.name(),
          column.name(),
          column.columnId(),
          i + 1,
          column.alias() == null ? facts.name() : column.alias(),
          facts.characterLength(),
          facts.numericPrecision(),
          facts.numericRadix(),
          facts.numericScale(),
          facts.datetimePrecision());
    }
    result.end();
    return 0;
  }
}
