package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One table of FROM as names see it; notes which of its columns are used. */
final class Source {
  private final String schema;
  private final String name;
  private final @Nullable Table table;
  private final Map<String, Typed> columns;
  private final Set<String> used = new LinkedHashSet<>();

  /**
   * @param schema empty if the source has an alias or is no table
   * @param table null if it is no table
   * @param columns by name, in order
   */
  Source(String schema, String name, @Nullable Table table, Map<String, Typed> columns) {
    this.schema = schema;
    this.name = name;
    this.table = table;
    this.columns = new LinkedHashMap<>(columns);
  }

  String schema() {
    return schema;
  }

  String name() {
    return name;
  }

  @Nullable Table table() {
    return table;
  }

  /** Columns read so far; empty if it was only counted. */
  List<String> used() {
    return List.copyOf(used);
  }

  /** All columns by name, in order. */
  Map<String, Typed> columns() {
    used.addAll(columns.keySet());
    return columns;
  }

  boolean isNamed(List<String> qualifier) {
    if (qualifier.isEmpty()) {
      return true;
    }
    boolean sameName = qualifier.get(qualifier.size() - 1).equalsIgnoreCase(name);
    return sameName
        && (qualifier.size() == 1 || schema.equalsIgnoreCase(qualifier.get(qualifier.size() - 2)));
  }

  @Nullable Typed find(String column) {
    for (Map.Entry<String, Typed> entry : columns.entrySet()) {
      if (entry.getKey().equalsIgnoreCase(column)) {
        used.add(entry.getKey());
        return entry.getValue();
      }
    }
    return null;
  }
}
