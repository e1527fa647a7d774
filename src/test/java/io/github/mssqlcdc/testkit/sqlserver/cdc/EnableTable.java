package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.UniqueIndex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code sys.sp_cdc_enable_table}. */
final class EnableTable extends CdcProcedure {
  private static final int MAX_INSTANCES = 2;
  private static final int MAX_NAME = 100;

  EnableTable(CdcDatabase database) {
    super(
        database,
        "sp_cdc_enable_table",
        "@source_schema",
        "@source_name",
        "@capture_instance",
        "@supports_net_changes",
        "@role_name",
        "@index_name",
        "@captured_column_list",
        "@filegroup_name",
        "@allow_partition_switch");
  }

  @Override
  int run(SessionContext session, Arguments arguments, ResponseSink out) throws SqlServerError {
    requireOwner(session);
    String schema = arguments.requireText("@source_schema");
    String name = arguments.requireText("@source_name");
    arguments.require("@role_name");
    if ("".equals(arguments.text("@role_name"))) {
      throw EnableTableErrors.emptyRole();
    }
    TableInfo table =
        database().store().table(schema, name).orElseThrow(() -> CdcErrors.noTable(schema, name));
    if (table.schema().equalsIgnoreCase(Sql.SCHEMA)) {
      throw EnableTableErrors.cdcSchema();
    }
    InstanceSpec spec = spec(table, arguments);
    session.awaitWriters(table.objectId());
    database().create(spec);
    return 0;
  }

  private InstanceSpec spec(TableInfo table, Arguments arguments) throws SqlServerError {
    String instance = instanceName(table, arguments.text("@capture_instance"));
    UniqueIndex index = SourceKey.find(table, arguments.text("@index_name"));
    Boolean netAsked = arguments.bit("@supports_net_changes");
    boolean net = netAsked == null ? index != null : netAsked;
    List<ColumnInfo> columns =
        CapturedColumnList.resolve(
            table, arguments.text("@captured_column_list"), database().store()::sameName);
    if (net) {
      SourceKey.check(table, index, columns);
    }
    Boolean partitionSwitch = arguments.bit("@allow_partition_switch");
    return new InstanceSpec(
        instance,
        table,
        columns,
        index,
        arguments.text("@role_name"),
        arguments.text("@filegroup_name"),
        net,
        partitionSwitch == null || partitionSwitch);
  }

  private String instanceName(TableInfo table, @Nullable String asked) throws SqlServerError {
    if (database().instances().ofTable(table.objectId()).size() >= MAX_INSTANCES) {
      throw EnableTableErrors.twoInstances(table);
    }
    String name = asked == null ? table.schema() + "_" + table.name() : asked;
    if (name.isEmpty()) {
      throw EnableTableErrors.badName(name);
    }
    if (name.length() > MAX_NAME) {
      throw EnableTableErrors.longName(name);
    }
    if (database().instances().find(name).isPresent()) {
      throw EnableTableErrors.nameTaken(name);
    }
    return name;
  }
}
