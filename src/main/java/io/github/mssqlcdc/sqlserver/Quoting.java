package io.github.mssqlcdc.sqlserver;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Identifiers in T-SQL. */
final class Quoting {
  private static final Pattern LIST_ENTRY = Pattern.compile("\\[((?:[^]]|]])*)]|([^,\\[\\s][^,]*)");

  private Quoting() {}

  /** {@code [name]}, a closing bracket in it doubled. */
  static String name(String name) {
    return "[" + name.replace("]", "]]") + "]";
  }

  /** {@code N'text'}, for statements shown to people: what is sent binds its values. */
  static String text(String text) {
    return "N'" + text.replace("'", "''") + "'";
  }

  static String name(String schema, String name) {
    return name(schema) + "." + name(name);
  }

  /** The instance's source table. */
  static String table(CaptureInstance instance) {
    return name(instance.sourceSchema(), instance.sourceTable());
  }

  /** Reads a list as CDC's procedures write it: {@code [a], [b]}. */
  static List<String> parseList(String text) {
    return LIST_ENTRY.matcher(text).results().map(Quoting::entry).toList();
  }

  private static String entry(MatchResult entry) {
    String quoted = entry.group(1);
    return quoted == null ? entry.group(2).strip() : quoted.replace("]]", "]");
  }
}
