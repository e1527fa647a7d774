package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Functions of any value: NULL handling, numbers, guids. */
final class ValueFunctions {
  private ValueFunctions() {}

  static Map<String, FunctionRule> rules() {
    Map<String, FunctionRule> rules = new HashMap<>();
    rules.put("COALESCE", ValueFunctions::coalesce);
    rules.put("ISNULL", ValueFunctions::isNull);
    rules.put("NULLIF", ValueFunctions::nullIf);
    rules.put("NEWID", ValueFunctions::newId);
    rules.put("ROUND", ValueFunctions::round);
    for (String name : List.of("ABS", "FLOOR", "CEILING", "SIGN")) {
      rules.put(name, call -> number(name, call));
    }
    for (String name : List.of("SQRT", "EXP", "POWER")) {
      rules.put(name, call -> floating(name, call));
    }
    return rules;
  }

  private static Typed coalesce(FunctionCall call) throws SqlServerError {
    call.require(1, 254);
    List<Typed> values = call.translation().expressions().unify(call.arguments());
    List<String> sql = new ArrayList<>();
    values.forEach(value -> sql.add(call.translation().sql(value)));
    boolean nullable = values.stream().allMatch(Typed::nullable);
    return Typed.of("COALESCE(" + String.join(", ", sql) + ")", values.get(0).type(), nullable);
  }

  private static Typed isNull(FunctionCall call) throws SqlServerError {
    call.require(2, 2);
    Typed value = call.argument(0);
    Typed instead = call.argument(1);
    if (value.isNullLiteral()) {
      return instead;
    }
    Typed converted = call.translation().coercion().implicit(instead, value.type());
    Typed result = call.call("COALESCE", value.type(), value, converted);
    return Typed.of(
        String.valueOf(result.text()), value.type(), value.nullable() && converted.nullable());
  }

  private static Typed nullIf(FunctionCall call) throws SqlServerError {
    call.require(2, 2);
    Typed value = call.argument(0);
    String same =
        call.translation().expressions().conditions().compare("=", value, call.argument(1));
    String sql = "CASE WHEN " + same + " THEN NULL ELSE " + call.translation().sql(value) + " END";
    return Typed.of(sql, value.type(), true);
  }

  private static Typed newId(FunctionCall call) throws SqlServerError {
    call.require(0, 0);
    return Typed.of("RANDOM_UUID()", DataType.of(SqlTypeName.UNIQUEIDENTIFIER), false);
  }

  private static Typed numeric(FunctionCall call) throws SqlServerError {
    Typed value = call.argument(0);
    if (Types.isCharacter(value.type())) {
      return call.translation().coercion().cast(value, Types.FLOAT, 0);
    }
    if (!Types.isNumber(value.type())) {
      throw Errors.clash(Types.baseName(value.type()), "float");
    }
    return value;
  }

  private static Typed number(String function, FunctionCall call) throws SqlServerError {
    call.require(1, 1);
    Typed value = numeric(call);
    boolean whole = Types.isExact(value.type()) && !function.equals("ABS");
    DataType type =
        whole && value.type().precision() > 0
            ? new DataType(value.type().name(), 0, value.type().precision(), 0, null)
            : value.type();
    return call.castCall(function, type, value);
  }

  private static Typed round(FunctionCall call) throws SqlServerError {
    call.require(2, 2);
    Typed value = numeric(call);
    return call.castCall("ROUND", value.type(), value, call.argument(1, Types.INT));
  }

  private static Typed floating(String function, FunctionCall call) throws SqlServerError {
    call.require(1, 2);
    Typed first = call.argument(0, Types.FLOAT);
    return call.count() == 1
        ? call.call(function, Types.FLOAT, first)
        : call.call(function, Types.FLOAT, first, call.argument(1, Types.FLOAT));
  }
}
