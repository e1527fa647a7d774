package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call's output parameters: finds the position in the call that a returned value belongs to, and
 * keeps the values until the call's end. Not thread-safe.
 */
final class OutputParameters {
  private final int firstOrdinal;
  private final List<Request.Parameter> parameters;
  private final List<Returned> returned = new ArrayList<>();

  private record Returned(int ordinal, String name, DataType type, @Nullable Object value) {}

  /**
   * @param firstOrdinal position in the call of the first of these parameters
   */
  OutputParameters(int firstOrdinal, List<Request.Parameter> parameters) {
    this.firstOrdinal = firstOrdinal;
    this.parameters = parameters;
  }

  static OutputParameters none() {
    return new OutputParameters(0, List.of());
  }

  /** A handle that stands first in the call. */
  OutputParameters withHandle(int handle) {
    OutputParameters all = new OutputParameters(firstOrdinal, parameters);
    all.returned.add(new Returned(0, "", DataType.of(SqlTypeName.INT), handle));
    return all;
  }

  void returned(String name, DataType type, @Nullable Object value) {
    returned.add(new Returned(firstOrdinal + indexOf(name), name, type, value));
  }

  void write(TokenWriter tokens) {
    for (Returned each : returned) {
      tokens.returnValue(each.ordinal(), each.name(), each.type(), each.value());
    }
  }

  /** By name; a positional argument has none, then by order among the output arguments. */
  private int indexOf(String name) {
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i).name().equalsIgnoreCase(name)) {
        return i;
      }
    }
    for (int i = 0; i < parameters.size(); i++) {
      int ordinal = firstOrdinal + i;
      if (parameters.get(i).output()
          && returned.stream().noneMatch(earlier -> earlier.ordinal() == ordinal)) {
        return i;
      }
    }
    throw new IllegalStateException("Unknown output parameter " + name);
  }
}
