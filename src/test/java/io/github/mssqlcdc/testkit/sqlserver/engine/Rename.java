package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.tsql.TSql;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code sp_rename} of a table; that of a column is refused where CDC tracks its table. */
final class Rename implements SystemProcedure {
  private final Session session;

  Rename(Session session) {
    this.session = session;
  }

  @Override
  public String name() {
    return "sys.sp_rename";
  }

  @Override
  public List<String> parameters() {
    return List.of("@objname", "@newname", "@objtype");
  }

  @Override
  public int call(SessionContext caller, Map<String, @Nullable Object> arguments, ResponseSink out)
      throws SqlServerError {
    String asked = String.valueOf(arguments.get("@objname"));
    List<String> parts = TSql.parseName(asked);
    String newName = String.valueOf(arguments.get("@newname"));
    if ("COLUMN".equalsIgnoreCase(String.valueOf(arguments.get("@objtype")))) {
      String column = parts.get(parts.size() - 1);
      Table table = table(parts.subList(0, parts.size() - 1), asked);
      throw new SqlServerError(
          4928,
          16,
          1,
          "Cannot alter column '" + column + "' because it is '" + reason(table) + "'.");
    }
    Table table = table(parts, asked);
    new StorageRunner(session, out)
        .define(List.of("ALTER TABLE " + table.h2Name() + " RENAME TO " + Table.quote(newName)));
    session
        .current()
        .catalog()
        .put(
            new Table(
                table.objectId(),
                table.schema(),
                newName,
                table.columns(),
                table.indexes(),
                table.lastColumnId(),
                table.system(),
                table.createdAt(),
                table.names()));
    return 0;
  }

  private String reason(Table table) {
    boolean tracked =
        session.current().extension().map(e -> e.tracks(table.objectId())).orElse(false);
    return tracked ? "REPLICATED" : "NOT RENAMED BY THE STAND-IN";
  }

  private Table table(List<String> parts, String asked) throws SqlServerError {
    String schema = parts.size() == 1 ? "dbo" : parts.get(parts.size() - 2);
    Optional<Table> found = session.current().catalog().table(schema, parts.get(parts.size() - 1));
    if (found.isPresent()) {
      return found.get();
    }
    throw new SqlServerError(
        15225,
        11,
        1,
        "No item by the name of '"
            + asked
            + "' could be found in the current database '"
            + session.current().name()
            + "', given that @itemtype was input as '(null)'.");
  }
}
