package io.github.mssqlcdc.type;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Plain captured columns for tests. */
public final class Captured {
  private Captured() {}

  /** Columns of these names and types, ids and ordinals in the map's order. */
  public static List<CapturedColumn> columns(Map<String, SqlType> types) {
    List<CapturedColumn> columns = new ArrayList<>();
    types.forEach(
        (name, type) -> {
          int ordinal = columns.size() + 1;
          columns.add(new CapturedColumn(name, ordinal, ordinal, type));
        });
    return columns;
  }
}
