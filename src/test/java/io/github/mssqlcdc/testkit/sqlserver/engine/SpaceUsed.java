package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink.StatementKind;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import io.github.mssqlcdc.testkit.sqlserver.tsql.TSql;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code sp_spaceused} of one table. Rows are true, sizes are made up from them. */
final class SpaceUsed implements SystemProcedure {
  private static final long ROW_BYTES = 128;

  private final Session session;

  SpaceUsed(Session session) {
    this.session = session;
  }

  @Override
  public String name() {
    return "sys.sp_spaceused";
  }

  @Override
  public List<String> parameters() {
    return List.of("@objname");
  }

  @Override
  public int call(SessionContext caller, Map<String, @Nullable Object> arguments, ResponseSink out)
      throws SqlServerError {
    String name = String.valueOf(arguments.get("@objname"));
    List<String> parts = TSql.parseName(name);
    String schema = parts.size() == 1 ? "dbo" : parts.get(parts.size() - 2);
    Optional<Table> found = session.current().catalog().table(schema, parts.get(parts.size() - 1));
    if (found.isEmpty()) {
      throw new SqlServerError(
          15009,
          16,
          1,
          "The object '"
              + name
              + "' does not exist in database '"
              + session.current().name()
              + "' or is invalid for this operation.");
    }
    Table table = found.get();
    Object count = session.current().query("SELECT COUNT(*) FROM " + table.h2Name()).get(0)[0];
    send(table.name(), ((Number) java.util.Objects.requireNonNull(count)).longValue(), out);
    return 0;
  }

  private static void send(String name, long rows, ResponseSink out) {
    DataType size = DataType.of(SqlTypeName.VARCHAR, 18);
    out.columns(
        List.of(
            new Column("name", Types.SYSNAME, true),
            new Column("rows", DataType.of(SqlTypeName.CHAR, 20), true),
            new Column("reserved", size, true),
            new Column("data", size, true),
            new Column("index_size", size, true),
            new Column("unused", size, true)));
    String data = kilobytes(rows * ROW_BYTES);
    out.row(
        new Object[] {name, String.format("%-20d", rows), data, data, kilobytes(0), kilobytes(0)});
    out.done(StatementKind.SELECT, 1);
  }

  private static String kilobytes(long bytes) {
    return (bytes + 1023) / 1024 + " KB";
  }
}
