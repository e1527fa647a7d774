package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.TextOrder;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables of one batch. */
final class Variables {
  private final TextOrder names;
  private final Map<ByteBuffer, Variable> variables = new HashMap<>();

  /**
   * @param names how the server compares names
   */
  Variables(TextOrder names) {
    this.names = names;
  }

  record Variable(DataType type, @Nullable Object value) {}

  void declare(String name, DataType type, @Nullable Object value) throws SqlServerError {
    if (variables.putIfAbsent(key(name), new Variable(type, value)) != null) {
      throw new SqlServerError(
          134,
          15,
          2,
          "The variable name '"
              + name
              + "' has already been declared. Variable names must be unique within a query batch"
              + " or stored procedure.");
    }
  }

  Variable get(String name) throws SqlServerError {
    Variable variable = variables.get(key(name));
    if (variable == null) {
      throw new SqlServerError(137, 15, 2, "Must declare the scalar variable \"" + name + "\".");
    }
    return variable;
  }

  /** Gives it a value of its own type. */
  void set(String name, @Nullable Object value) throws SqlServerError {
    variables.put(key(name), new Variable(get(name).type(), value));
  }

  private ByteBuffer key(String name) {
    return ByteBuffer.wrap(names.key(name));
  }
}
