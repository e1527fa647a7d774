package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore.Statement;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Pieces of the storage's SQL. */
final class Sql {
  static final String SCHEMA = "cdc";

  private Sql() {}

  static String cdcTable(String name) {
    return quote(SCHEMA) + "." + quote(name);
  }

  static String quote(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  static Statement statement(String sql, @Nullable Object... arguments) {
    return new Statement(sql, Arrays.asList(arguments));
  }
}
