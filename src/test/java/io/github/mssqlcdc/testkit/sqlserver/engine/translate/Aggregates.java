package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Query;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Aggregates and window functions, in T-SQL's result types. */
final class Aggregates {
  private Aggregates() {}

  static Map<String, FunctionRule> rules() {
    Map<String, FunctionRule> rules = new HashMap<>();
    rules.put("COUNT", call -> count(call, Types.INT));
    rules.put("COUNT_BIG", call -> count(call, Types.BIGINT));
    rules.put("MIN", call -> plain("MIN", call));
    rules.put("MAX", call -> plain("MAX", call));
    rules.put("SUM", Aggregates::sum);
    rules.put("AVG", Aggregates::average);
    for (String name : List.of("ROW_NUMBER", "RANK", "DENSE_RANK")) {
      rules.put(name, call -> rank(name, call));
    }
    rules.put("NTILE", Aggregates::ntile);
    for (String name : List.of("LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE")) {
      rules.put(name, call -> neighbour(name, call));
    }
    return rules;
  }

  private static Typed count(FunctionCall call, DataType type) throws SqlServerError {
    String inner = call.syntax().star() ? "*" : operand(call);
    return windowed("COUNT(" + inner + ")", type, false, call);
  }

  private static Typed plain(String name, FunctionCall call) throws SqlServerError {
    Typed operand = inside(call);
    String extreme =
        call.translation()
            .ordering()
            .extreme(name, call.translation().sql(operand), operand.type(), over(call));
    String sql = "CAST(" + extreme + " AS " + Types.h2(operand.type()) + ")";
    return Typed.of(sql, operand.type(), true);
  }

  private static Typed sum(FunctionCall call) throws SqlServerError {
    Typed operand = inside(call);
    return windowed(
        "SUM(" + distinct(call, operand) + ")", sumType(operand.type(), call), true, call);
  }

  private static Typed average(FunctionCall call) throws SqlServerError {
    Typed operand = inside(call);
    DataType type = sumType(operand.type(), call);
    if (type.name() == SqlTypeName.NUMERIC) {
      type = new DataType(type.name(), 0, 38, Math.max(type.scale(), 6), null);
    }
    String average = "AVG(" + distinct(call, operand) + ")" + over(call);
    String sql = Types.isInteger(type) ? "TRUNC(" + average + ")" : average;
    return Typed.of("CAST(" + sql + " AS " + Types.h2(type) + ")", type, true);
  }

  private static DataType sumType(DataType operand, FunctionCall call) throws SqlServerError {
    return switch (operand.name()) {
      case TINYINT, SMALLINT, INT -> Types.INT;
      case BIGINT -> Types.BIGINT;
      case REAL, FLOAT -> Types.FLOAT;
      case MONEY, SMALLMONEY -> DataType.of(SqlTypeName.MONEY);
      case DECIMAL, NUMERIC -> new DataType(SqlTypeName.NUMERIC, 0, 38, operand.scale(), null);
      default ->
          throw new SqlServerError(
              8117,
              16,
              1,
              "Operand data type "
                  + Types.baseName(operand)
                  + " is invalid for "
                  + call.name().toLowerCase(java.util.Locale.ROOT)
                  + " operator.");
    };
  }

  private static Typed rank(String name, FunctionCall call) throws SqlServerError {
    call.require(0, 0);
    requireOrder(call);
    return windowed(name + "()", Types.BIGINT, false, call);
  }

  private static Typed ntile(FunctionCall call) throws SqlServerError {
    call.require(1, 1);
    requireOrder(call);
    String tiles = call.translation().sql(call.argument(0, Types.BIGINT));
    return windowed("NTILE(" + tiles + ")", Types.BIGINT, false, call);
  }

  private static Typed neighbour(String name, FunctionCall call) throws SqlServerError {
    call.require(1, 3);
    requireOrder(call);
    Typed value = call.argument(0);
    StringBuilder inner = new StringBuilder(call.translation().sql(value));
    if (call.count() > 1) {
      inner.append(", ").append(call.translation().sql(call.argument(1, Types.INT)));
    }
    if (call.count() > 2) {
      inner.append(", ").append(call.translation().sql(call.argument(2, value.type())));
    }
    return windowed(name + "(" + inner + ")", value.type(), true, call);
  }

  private static void requireOrder(FunctionCall call) throws SqlServerError {
    Expression.Window over = call.syntax().over();
    if (over == null) {
      throw new SqlServerError(
          10753, 15, 3, "The function '" + call.name() + "' must have an OVER clause.");
    }
    if (over.orderBy().isEmpty()) {
      throw new SqlServerError(
          4112,
          15,
          1,
          "The function '" + call.name() + "' must have an OVER clause with ORDER BY.");
    }
  }

  private static String operand(FunctionCall call) throws SqlServerError {
    Typed operand = inside(call);
    if (!call.syntax().distinct()) {
      return call.translation().sql(operand);
    }
    return "DISTINCT " + key(operand, call);
  }

  private static Typed inside(FunctionCall call) throws SqlServerError {
    call.require(1, 1);
    call.scope().enterAggregate();
    try {
      return call.argument(0);
    } finally {
      call.scope().leaveAggregate();
    }
  }

  private static String distinct(FunctionCall call, Typed operand) {
    return (call.syntax().distinct() ? "DISTINCT " : "") + call.translation().sql(operand);
  }

  private static Typed windowed(String function, DataType type, boolean nullable, FunctionCall call)
      throws SqlServerError {
    String sql = "CAST(" + function + over(call) + " AS " + Types.h2(type) + ")";
    return Typed.of(sql, type, nullable);
  }

  private static String over(FunctionCall call) throws SqlServerError {
    Expression.Window over = call.syntax().over();
    if (over == null) {
      return "";
    }
    StringBuilder sql = new StringBuilder(" OVER (");
    if (!over.partitionBy().isEmpty()) {
      List<String> keys = new ArrayList<>();
      for (Expression key : over.partitionBy()) {
        keys.add(key(call.translation().expressions().translate(key, call.scope()), call));
      }
      sql.append("PARTITION BY ").append(String.join(", ", keys)).append(' ');
    }
    if (!over.orderBy().isEmpty()) {
      List<String> keys = new ArrayList<>();
      for (Query.OrderItem item : over.orderBy()) {
        keys.add(orderKey(item, call));
      }
      sql.append("ORDER BY ").append(String.join(", ", keys)).append(' ');
    }
    return sql.append(over.frame() == null ? "" : over.frame()).append(")").toString();
  }

  private static String key(Typed value, FunctionCall call) {
    return call.translation().ordering().key(call.translation().sql(value), value.type());
  }

  private static String orderKey(Query.OrderItem item, FunctionCall call) throws SqlServerError {
    if (item.expression() instanceof Expression.NumberLiteral) {
      throw new SqlServerError(
          5308,
          16,
          1,
          "Windowed functions, aggregates and NEXT VALUE FOR functions do not support integer"
              + " indices as ORDER BY clause expressions.");
    }
    Typed key = call.translation().expressions().translate(item.expression(), call.scope());
    if (Types.isCharacter(key.type()) && key.isConstant()) {
      throw Errors.badSyntax("ORDER");
    }
    return key(key, call) + (item.descending() ? " DESC" : "");
  }
}
