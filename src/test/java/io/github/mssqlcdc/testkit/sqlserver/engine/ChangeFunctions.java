package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.Output;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.TableFunction;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.Typed;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code cdc.fn_cdc_get_all_changes_<instance>} in FROM. Net changes aren't here. */
final class ChangeFunctions {
  private static final String PREFIX = "fn_cdc_get_all_changes_";
  private static final Set<String> LEFT_OUT = Set.of("__$end_lsn", "__$command_id");

  private final Database database;
  private final CallerContext caller;

  ChangeFunctions(Database database, CallerContext caller) {
    this.database = database;
    this.caller = caller;
  }

  Optional<TableFunction> find(List<String> name, List<Typed> arguments) throws SqlServerError {
    String last = name.get(name.size() - 1);
    Optional<DatabaseExtension> extension = database.extension();
    if (extension.isEmpty()
        || name.size() != 2
        || !database.catalog().names().same(name.get(0), "cdc")
        || last.length() <= PREFIX.length()
        || !database.catalog().names().same(last.substring(0, PREFIX.length()), PREFIX)) {
      return Optional.empty();
    }
    String instance = last.substring(PREFIX.length());
    Optional<Table> changes = database.catalog().table("cdc", instance + "_CT");
    if (changes.isEmpty()) {
      return Optional.empty();
    }
    if (arguments.size() != 3) {
      throw Errors.badSyntax(last);
    }
    List<Output> columns = new ArrayList<>();
    for (Table.Column column : changes.get().columns()) {
      if (!LEFT_OUT.contains(column.name())) {
        columns.add(new Output(column.name(), column.type(), column.nullable(), null));
      }
    }
    return extension
        .get()
        .changes(
            caller,
            instance,
            (byte[]) constant(arguments.get(0)),
            (byte[]) constant(arguments.get(1)),
            (String) constant(arguments.get(2)))
        .map(sql -> new TableFunction(sql, columns));
  }

  private static @Nullable Object constant(Typed argument) throws SqlServerError {
    if (argument.constant() == null) {
      throw Errors.badSyntax(PREFIX);
    }
    return argument.constant().value();
  }
}
