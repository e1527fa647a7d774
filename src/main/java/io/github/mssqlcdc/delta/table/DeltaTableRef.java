package io.github.mssqlcdc.delta.table;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;

/**
 * Where a Delta table is, as the caller spelt it: a name, or a path, which is anything with {@code
 * /} or {@code :}.
 */
public record DeltaTableRef(String text) {

  /**
   * @throws InvalidRequestException if it is blank
   */
  public DeltaTableRef {
    if (text.isBlank()) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Missing table: give its name, for example bronze.orders, or its path");
    }
  }

  public boolean isPath() {
    return text.indexOf('/') >= 0 || text.indexOf(':') >= 0;
  }

  /** The table in SQL text. */
  public String sql() {
    return isPath() ? "delta.`" + text.replace("`", "``") + "`" : text;
  }

  @Override
  public String toString() {
    return text;
  }
}
