package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.UniqueIndex;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code sys.sp_cdc_help_change_data_capture}: all instances that the caller may read, or those of
 * one table.
 */
final class HelpChangeDataCapture extends CdcProcedure {
  private static final List<Column> COLUMNS =
      List.of(
          new Column("source_schema", Types.SYSNAME, true),
          new Column("source_table", Types.SYSNAME, true),
          new Column("capture_instance", Types.SYSNAME, false),
          new Column("object_id", Types.INT, false),
          new Column("source_object_id", Types.INT, true),
          new Column("start_lsn", Types.LSN, true),
          new Column("end_lsn", Types.LSN, true),
          new Column("supports_net_changes", Types.BIT, true),
          new Column("has_drop_pending", Types.BIT, true),
          new Column("role_name", Types.SYSNAME, true),
          new Column("index_name", Types.SYSNAME, true),
          new Column("filegroup_name", Types.SYSNAME, true),
          new Column("create_date", Types.DATETIME, true),
          new Column("index_column_list", Types.LONG_TEXT, true),
          new Column("captured_column_list", Types.LONG_TEXT, true));

  HelpChangeDataCapture(CdcDatabase database) {
    super(database, "sp_cdc_help_change_data_capture", "@source_schema", "@source_name");
  }

  @Override
  int run(SessionContext session, Arguments arguments, ResponseSink out) throws SqlServerError {
    database().requireEnabled();
    List<CaptureInstance> chosen = chosen(arguments);
    List<CaptureInstance> readable =
        chosen.stream().filter(instance -> Access.mayRead(session, instance)).toList();
    ResultSet result = new ResultSet(out, COLUMNS);
    readable.forEach(instance -> row(instance, result));
    result.end();
    return 0;
  }

  private List<CaptureInstance> chosen(Arguments arguments) throws SqlServerError {
    String schema = arguments.text("@source_schema");
    String name = arguments.text("@source_name");
    boolean noSchema = schema == null || schema.isEmpty();
    boolean noName = name == null || name.isEmpty();
    if (noSchema != noName) {
      throw CdcErrors.bothOrNeither();
    }
    if (noSchema) {
      return database().instances().all();
    }
    TableInfo table =
        database().store().table(schema, name).orElseThrow(() -> CdcErrors.noTable(schema, name));
    List<CaptureInstance> instances = database().instances().ofTable(table.objectId());
    if (instances.isEmpty()) {
      throw CdcErrors.notTracked(schema, name);
    }
    return instances;
  }

  private void row(CaptureInstance instance, ResultSet result) {
    UniqueIndex index = instance.index();
    result.row(
        database().source(instance).schema(),
        database().source(instance).name(),
        instance.name(),
        instance.changeTableId(),
        instance.sourceTableId(),
        database().metadata().startLsn(instance),
        null,
        instance.supportsNetChanges(),
        false,
        instance.role(),
        index == null ? null : index.name(),
        instance.filegroup(),
        instance.createDate(),
        index == null ? null : bracketed(index.columns().stream()),
        bracketed(instance.columns().stream().map(ColumnInfo::name)));
  }

  private static @Nullable String bracketed(Stream<String> names) {
    return names.map(name -> "[" + name.replace("]", "]]") + "]").collect(Collectors.joining(", "));
  }
}
