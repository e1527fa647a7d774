package io.github.mssqlcdc.architecture;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who may use whom. Beside what is listed, everybody may use {@code error}, everybody outside the
 * ground {@code metric} and {@code registry}, and a parent its own children. A child never uses its
 * parent.
 */
final class PackageMap {
  static final String ROOT = "io.github.mssqlcdc";

  /** No Spark, JDBC or Delta in here. */
  static final Set<String> GROUND =
      Set.of("error", "lsn", "options", "offset", "metric", "registry");

  private static final Set<String> EVERYWHERE = Set.of("error");
  private static final Set<String> OUTSIDE_THE_GROUND = Set.of("metric", "registry");

  private static final Map<String, Set<String>> USES =
      Map.ofEntries(
          // ground
          Map.entry("error", Set.of()),
          Map.entry("registry", Set.of()),
          Map.entry("lsn", Set.of()),
          Map.entry("offset", Set.of("lsn")),
          Map.entry("options", Set.of("lsn", "offset")),
          Map.entry("metric", Set.of("lsn", "offset")),
          // source database
          Map.entry("type", Set.of()),
          Map.entry("keyrange", Set.of("type")),
          Map.entry("connection", Set.of("options")),
          Map.entry("sqlserver", Set.of("connection", "keyrange", "lsn", "options", "type")),
          Map.entry("chunk", Set.of("sqlserver", "keyrange", "lsn", "type")),
          // Spark source
          Map.entry("source.row", Set.of("sqlserver", "type", "lsn")),
          Map.entry(
              "source.stream",
              Set.of("source.row", "sqlserver", "type", "offset", "lsn", "options")),
          Map.entry(
              "source.snapshot",
              Set.of(
                  "source.row",
                  "chunk",
                  "sqlserver",
                  "type",
                  "keyrange",
                  "offset",
                  "lsn",
                  "options")),
          Map.entry("source", Set.of("sqlserver", "type", "offset", "lsn", "options")),
          // lakehouse
          Map.entry("delta.table", Set.of()),
          Map.entry("delta.schema", Set.of("delta.table")),
          Map.entry("bronze", Set.of("delta.table", "delta.schema", "offset", "lsn")),
          Map.entry("facts", Set.of("delta.table", "delta.schema", "offset", "lsn")),
          Map.entry("plans", Set.of("delta.table", "delta.schema", "offset", "lsn")),
          Map.entry("control", Set.of("delta.table", "delta.schema", "offset", "lsn")),
          Map.entry(
              "silver",
              Set.of("bronze", "control", "delta.table", "delta.schema", "offset", "lsn")),
          Map.entry("finalization", Set.of("control", "offset", "options", "lsn")),
          Map.entry(
              "reconcile",
              Set.of(
                  "snapshot",
                  "bronze",
                  "facts",
                  "plans",
                  "keyrange",
                  "sqlserver",
                  "delta.table",
                  "delta.schema",
                  "offset",
                  "lsn")),
          Map.entry("sink", Set.of("bronze", "facts", "offset", "lsn")),
          Map.entry(
              "snapshot",
              Set.of("facts", "plans", "chunk", "keyrange", "options", "offset", "lsn")),
          Map.entry(
              "backfill",
              Set.of(
                  "snapshot",
                  "bronze",
                  "facts",
                  "plans",
                  "chunk",
                  "keyrange",
                  "sqlserver",
                  "delta.table",
                  "options",
                  "offset",
                  "lsn")));

  /** Whatever is below may be used here. */
  private static final String TOP = "pipeline";

  private PackageMap() {}

  static Set<String> names() {
    return USES.keySet();
  }

  static boolean isKnown(String name) {
    return name.equals(TOP) || USES.containsKey(name);
  }

  static boolean mayUse(String from, String to) {
    if (isAncestor(to, from)) {
      return false;
    }
    return from.equals(to)
        || from.equals(TOP)
        || isAncestor(from, to)
        || EVERYWHERE.contains(to)
        || (!GROUND.contains(from) && OUTSIDE_THE_GROUND.contains(to))
        || USES.getOrDefault(from, Set.of()).contains(to);
  }

  static boolean isAncestor(String ancestor, String name) {
    return name.startsWith(ancestor + ".");
  }

  /** The package's name below the root; empty outside of it. */
  static Optional<String> nameOf(String packageName) {
    return packageName.startsWith(ROOT + ".")
        ? Optional.of(packageName.substring(ROOT.length() + 1))
        : Optional.empty();
  }
}
