package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.TextOrder;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One table of FROM as names see it; notes which of its columns are used. */
final class Source {
  private final TextOrder names;
  private final String schema;
  private final String name;
  private final @Nullable Table table;
  private final Map<String, Typed> columns;
  private final Set<String> used = new LinkedHashSet<>();

  /**
   * @param names how the database compares names
   * @param schema empty if the source has an alias or is no table
   * @param table null if it is no table
   * @param columns by name, in order
   */
  Source(
      TextOrder names,
      String schema,
      String name,
      @Nullable Table table,
      Map<String, Typed> columns) {
    this.names = names;
    this.schema = schema;
    this.name = name;
    this.table = table;
    this.columns = new LinkedHashMap<>(columns);
  }

  String schema() {
    return schema;
  }

  /** Whether both have the same exposed name. */
  boolean clashes(Source other) {
    return names.same(name, other.name) && names.same(schema, other.schema);
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
    boolean sameName = names.same(qualifier.get(qualifier.size() - 1), name);
    return sameName
        && (qualifier.size() == 1 || names.same(schema, qualifier.get(qualifier.size() - 2)));
  }

  boolean isColumn(String name, String column) {
    return names.same(name, column);
  }

  @Nullable Typed find(String column) {
    for (Map.Entry<String, Typed> entry : columns.entrySet()) {
      if (names.same(entry.getKey(), column)) {
        used.add(entry.getKey());
        return entry.getValue();
      }
    }
    return null;
  }
}
