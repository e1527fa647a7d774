package io.github.mssqlcdc.reconcile;

/** Names of columns as Spark parses them. */
final class Names {
  private Names() {}

  static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }
}
