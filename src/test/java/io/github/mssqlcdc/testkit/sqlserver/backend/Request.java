package io.github.mssqlcdc.testkit.sqlserver.backend;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client asks a session to run. */
public sealed interface Request {

  /** A plain statement batch: SET options in it stay set. */
  record Batch(String sql) implements Request {}

  /**
   * {@code sp_executesql} and its prepared relatives, already taken apart: T-SQL with parameters
   * {@code @P0, @P1, …} bound by position. SET options in it end with it.
   */
  record Parameterized(String sql, List<Parameter> parameters) implements Request {}

  /** A call of any other procedure by RPC. */
  record Procedure(String name, List<Parameter> arguments) implements Request {}

  /**
   * @param name with {@code @}; empty for a positional argument
   * @param type declared type
   * @param value null for NULL
   * @param output whether the client wants the value back
   */
  record Parameter(String name, DataType type, @Nullable Object value, boolean output) {}
}
