package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Arguments of a call, by name without regard to case. */
final class Arguments {
  private final String procedure;
  private final Map<String, @Nullable Object> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  Arguments(String procedure, Map<String, @Nullable Object> values) {
    this.procedure = procedure;
    this.values.putAll(values);
  }

  /**
   * @throws SqlServerError 201 if it isn't given at all
   */
  void require(String name) throws SqlServerError {
    if (!values.containsKey(name)) {
      throw CdcErrors.missingParameter(procedure, name);
    }
  }

  /**
   * @throws SqlServerError 201 if it isn't given, 22963 if it is NULL or empty
   */
  String requireText(String name) throws SqlServerError {
    require(name);
    String value = text(name);
    if (value == null || value.isEmpty()) {
      throw CdcErrors.emptyParameter(name);
    }
    return value;
  }

  /** Without trailing blanks; null if NULL or not given. */
  @Nullable String text(String name) {
    Object value = values.get(name);
    return value == null ? null : value.toString().stripTrailing();
  }

  @Nullable Long number(String name) {
    Object value = values.get(name);
    if (value instanceof Boolean bit) {
      return bit ? 1L : 0L;
    }
    return value == null ? null : Long.valueOf(value.toString());
  }

  @Nullable Boolean bit(String name) {
    Long value = number(name);
    return value == null ? null : value != 0;
  }

  byte @Nullable [] bytes(String name) {
    return (byte[]) values.get(name);
  }
}
