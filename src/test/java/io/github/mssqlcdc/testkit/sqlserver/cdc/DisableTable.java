package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo;
import java.util.List;

/** {@code sys.sp_cdc_disable_table}: one instance of a table, or {@code all}. */
final class DisableTable extends CdcProcedure {

  DisableTable(CdcDatabase database) {
    super(database, "sp_cdc_disable_table", "@source_schema", "@source_name", "@capture_instance");
  }

  @Override
  int run(SessionContext session, Arguments arguments, ResponseSink out) throws SqlServerError {
    requireOwner(session);
    String schema = arguments.requireText("@source_schema");
    String name = arguments.requireText("@source_name");
    String instance = arguments.requireText("@capture_instance");
    TableInfo table =
        database().store().table(schema, name).orElseThrow(() -> CdcErrors.noTable(schema, name));
    List<CaptureInstance> instances = database().instances().ofTable(table.objectId());
    if (instances.isEmpty()) {
      throw CdcErrors.notTracked(schema, name);
    }
    List<CaptureInstance> chosen =
        instances.stream()
            .filter(
                found ->
                    instance.equalsIgnoreCase("all")
                        || database().store().sameName(found.name(), instance))
            .toList();
    if (chosen.isEmpty()) {
      throw CdcErrors.notOfTable(instance, schema, name);
    }
    chosen.forEach(database()::drop);
    return 0;
  }
}
