package io.github.mssqlcdc.testkit.source;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/** A result set over rows in memory: the getters that readers use, and no more. */
public final class FakeRows implements InvocationHandler {
  private final List<Object[]> rows;
  private int at = -1;
  private boolean wasNull;

  private FakeRows(List<Object[]> rows) {
    this.rows = rows;
  }

  /** Rows in order, values as the driver's typed getters give them. */
  public static ResultSet of(List<Object[]> rows) {
    return (ResultSet)
        Proxy.newProxyInstance(
            FakeRows.class.getClassLoader(), new Class<?>[] {ResultSet.class}, new FakeRows(rows));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws SQLException {
    String name = method.getName();
    if (name.equals("next")) {
      at++;
      return at < rows.size();
    }
    if (name.equals("wasNull")) {
      return wasNull;
    }
    if (name.equals("getMetaData")) {
      return Proxy.newProxyInstance(
          FakeRows.class.getClassLoader(),
          new Class<?>[] {ResultSetMetaData.class},
          (metadata, asked, column) -> "of no type");
    }
    if (!name.startsWith("get")) {
      throw new SQLException("Unsupported call: " + name);
    }
    Object value = rows.get(at)[(int) arguments[0] - 1];
    wasNull = value == null;
    if (name.equals("getObject") && value != null) {
      return ((Class<?>) arguments[1]).cast(value);
    }
    return value == null ? ofNull(method.getReturnType()) : converted(value, method);
  }

  private static Object converted(Object value, Method method) {
    if (value instanceof Number number) {
      return switch (method.getReturnType().getName()) {
        case "short" -> number.shortValue();
        case "int" -> number.intValue();
        case "long" -> number.longValue();
        case "float" -> number.floatValue();
        case "double" -> number.doubleValue();
        default -> value;
      };
    }
    return Objects.requireNonNull(value);
  }

  private static Object ofNull(Class<?> type) {
    return switch (type.getName()) {
      case "boolean" -> false;
      case "short" -> (short) 0;
      case "int" -> 0;
      case "long" -> 0L;
      case "float" -> 0f;
      case "double" -> 0d;
      default -> null;
    };
  }
}
