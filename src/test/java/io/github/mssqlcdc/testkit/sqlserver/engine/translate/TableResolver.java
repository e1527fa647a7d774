package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds tables by name, and their columns. */
final class TableResolver {
  private final Translation translation;

  TableResolver(Translation translation) {
    this.translation = translation;
  }

  /**
   * @throws SqlServerError 208 if there is none; a name in another database is refused likewise
   */
  Table table(List<String> name) throws SqlServerError {
    String full = String.join(".", name);
    boolean here =
        name.size() < 3
            || (name.size() == 3
                && name.get(0).equalsIgnoreCase(translation.environment().databaseName()));
    if (!here) {
      throw Errors.unknownObject(full);
    }
    String schema = name.size() == 1 ? "dbo" : name.get(name.size() - 2);
    return translation
        .environment()
        .catalog()
        .table(schema.isEmpty() ? "dbo" : schema, name.get(name.size() - 1))
        .orElseThrow(() -> Errors.unknownObject(full));
  }

  Optional<SystemView> systemView(List<String> name) throws SqlServerError {
    if (name.size() < 2
        || name.size() > 3
        || (name.size() == 3
            && !name.get(0).equalsIgnoreCase(translation.environment().databaseName()))) {
      return Optional.empty();
    }
    return translation
        .environment()
        .systemView(name.get(name.size() - 2), name.get(name.size() - 1));
  }

  /** A column has a collation, if not its own then the database's; a literal has none. */
  private DataType collated(DataType type) {
    return Types.isCharacter(type)
        ? Types.collated(type, translation.ordering().collation(type))
        : type;
  }

  /** The table's columns under an alias; computed ones are written out. */
  Map<String, Typed> columns(Table table, String alias, boolean optional) throws SqlServerError {
    Map<String, Typed> columns = new LinkedHashMap<>();
    for (Table.Column column : table.columns()) {
      if (column.stored()) {
        String sql = alias + "." + Table.quote(column.name());
        columns.put(
            column.name(), Typed.of(sql, collated(column.type()), optional || column.nullable()));
      }
    }
    Scope stored = new Scope(null);
    stored.add(new Source(translation.names(), "", alias, null, columns));
    Map<String, Typed> all = new LinkedHashMap<>();
    for (Table.Column column : table.columns()) {
      Typed found = columns.get(column.name());
      all.put(
          column.name(),
          found != null ? found : translation.expressions().translate(column.computed(), stored));
    }
    return all;
  }
}
