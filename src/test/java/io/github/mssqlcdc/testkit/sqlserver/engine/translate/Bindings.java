package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values bound to one H2 statement, by index, and the writing of constants into it. */
final class Bindings {
  private final List<@Nullable Object> values = new ArrayList<>();

  List<@Nullable Object> values() {
    return values;
  }

  String write(Typed.Constant constant, DataType type) {
    Object value = constant.value();
    if (value == null) {
      return "CAST(NULL AS " + Types.h2(type) + ")";
    }
    if (constant.literal() && value instanceof Integer) {
      return value.toString();
    }
    if (constant.literal() && value instanceof Number) {
      return "CAST(" + value + " AS " + Types.h2(type) + ")";
    }
    if (constant.literal() && value instanceof String text) {
      return "CAST('" + text.replace("'", "''") + "' AS VARCHAR)";
    }
    if (constant.literal() && value instanceof byte[] bytes) {
      return "CAST(X'" + HexFormat.of().formatHex(bytes) + "' AS " + Types.h2(type) + ")";
    }
    return "CAST(?" + index(value) + " AS " + boundType(type) + ")";
  }

  /** The same value is bound once, so that equal expressions stay equal in H2's eyes. */
  private int index(Object value) {
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) == value) {
        return i + 1;
      }
    }
    values.add(value);
    return values.size();
  }

  private static String boundType(DataType type) {
    return Types.isCharacter(type) ? "VARCHAR" : Types.h2(type);
  }
}
