package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.Product;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Functions of strings and binaries. */
final class TextFunctions {
  private TextFunctions() {}

  static Map<String, FunctionRule> rules() {
    Map<String, FunctionRule> rules = new HashMap<>();
    rules.put("LEN", TextFunctions::length);
    rules.put("DATALENGTH", TextFunctions::dataLength);
    rules.put("SUBSTRING", TextFunctions::substring);
    rules.put("CONCAT", TextFunctions::concat);
    rules.put("REPLICATE", TextFunctions::replicate);
    rules.put("SPACE", TextFunctions::space);
    rules.put("CHARINDEX", TextFunctions::charIndex);
    rules.put("REPLACE", TextFunctions::replace);
    rules.put("QUOTENAME", TextFunctions::quoteName);
    rules.put("CHAR", call -> character(call, SqlTypeName.CHAR));
    rules.put("NCHAR", call -> character(call, SqlTypeName.NCHAR));
    for (String name : List.of("UPPER", "LOWER", "LTRIM", "RTRIM", "REVERSE")) {
      rules.put(name, call -> sameType(name, call));
    }
    rules.put("TRIM", TextFunctions::trim);
    for (String name : List.of("LEFT", "RIGHT")) {
      rules.put(name, call -> side(name, call));
    }
    return rules;
  }

  private static Typed trim(FunctionCall call) throws SqlServerError {
    if (!call.environment().product().has(Product.SQL_SERVER_2017)) {
      throw Errors.unknownFunction(call.name());
    }
    return sameType("TRIM", call);
  }

  /** Trailing blanks don't count. */
  private static Typed length(FunctionCall call) throws SqlServerError {
    call.require(1, 1);
    Typed text = call.text(0);
    return call.castCall("CHAR_LENGTH", Types.INT, call.call("RTRIM", text.type(), text));
  }

  private static Typed dataLength(FunctionCall call) throws SqlServerError {
    call.require(1, 1);
    Typed value = call.argument(0);
    if (Types.isBinary(value.type())) {
      return call.castCall("OCTET_LENGTH", Types.INT, value);
    }
    Typed length = call.castCall("CHAR_LENGTH", Types.INT, call.text(0));
    if (Types.isUnicode(value.type())) {
      return Typed.of("(" + length.text() + " * 2)", Types.INT, length.nullable());
    }
    if (Types.isCharacter(value.type())) {
      return length;
    }
    String sql =
        "CASE WHEN "
            + call.translation().sql(value)
            + " IS NULL THEN NULL ELSE "
            + bytes(value.type())
            + " END";
    return Typed.of(sql, Types.INT, value.nullable());
  }

  private static int bytes(DataType type) throws SqlServerError {
    return switch (type.name()) {
      case BIT, TINYINT -> 1;
      case SMALLINT -> 2;
      case INT, REAL, SMALLMONEY, SMALLDATETIME -> 4;
      case DATE -> 3;
      case BIGINT, FLOAT, MONEY, DATETIME -> 8;
      case UNIQUEIDENTIFIER -> 16;
      case DECIMAL, NUMERIC ->
          type.precision() <= 9 ? 5 : type.precision() <= 19 ? 9 : type.precision() <= 28 ? 13 : 17;
      case TIME -> timeBytes(type.scale());
      case DATETIME2 -> timeBytes(type.scale()) + 3;
      default -> timeBytes(type.scale()) + 5;
    };
  }

  private static int timeBytes(int scale) {
    return scale <= 2 ? 3 : scale <= 4 ? 4 : 5;
  }

  private static Typed substring(FunctionCall call) throws SqlServerError {
    call.require(3, 3);
    Typed value = call.argument(0);
    boolean binary = Types.isBinary(value.type());
    Typed operand = binary ? value : call.text(0);
    Typed start = call.argument(1, Types.INT);
    Typed length = call.argument(2, Types.INT);
    DataType type = binary ? variable(value.type()) : variable(operand.type());
    return call.call("SUBSTRING", type, operand, start, length);
  }

  private static DataType variable(DataType type) {
    SqlTypeName name =
        Types.isBinary(type)
            ? SqlTypeName.VARBINARY
            : Types.isUnicode(type) ? SqlTypeName.NVARCHAR : SqlTypeName.VARCHAR;
    int length = type.length() == 0 ? DataType.MAX : type.length();
    return Types.collated(DataType.of(name, length), type.collation());
  }

  private static Typed concat(FunctionCall call) throws SqlServerError {
    call.require(2, 254);
    Typed[] texts = new Typed[call.count()];
    DataType type = null;
    for (int i = 0; i < texts.length; i++) {
      texts[i] = call.text(i);
      type = type == null ? texts[i].type() : Types.concatenated(type, texts[i].type());
    }
    return call.call("CONCAT", type == null ? Types.NVARCHAR_MAX : type, texts);
  }

  private static Typed replicate(FunctionCall call) throws SqlServerError {
    call.require(2, 2);
    Typed text = call.text(0);
    DataType type = variable(text.type());
    boolean max = type.length() == DataType.MAX;
    int limit = Types.isUnicode(type) ? 4000 : 8000;
    DataType result = DataType.of(type.name(), max ? DataType.MAX : limit);
    Typed repeated = call.call("REPEAT", result, text, call.argument(1, Types.INT));
    return max
        ? repeated
        : Typed.of("LEFT(" + repeated.text() + ", " + limit + ")", result, repeated.nullable());
  }

  private static Typed space(FunctionCall call) throws SqlServerError {
    call.require(1, 1);
    Typed blank = Typed.literal(" ", DataType.of(SqlTypeName.VARCHAR, 1));
    return call.call(
        "REPEAT", DataType.of(SqlTypeName.VARCHAR, 8000), blank, call.argument(0, Types.INT));
  }

  private static Typed charIndex(FunctionCall call) throws SqlServerError {
    call.require(2, 3);
    Typed sought = call.text(0);
    Typed text = call.text(1);
    Typed upperSought = call.call("UPPER", sought.type(), sought);
    Typed upperText = call.call("UPPER", text.type(), text);
    return call.count() == 2
        ? call.call("LOCATE", Types.INT, upperSought, upperText)
        : call.call("LOCATE", Types.INT, upperSought, upperText, call.argument(2, Types.INT));
  }

  private static Typed replace(FunctionCall call) throws SqlServerError {
    call.require(3, 3);
    Typed text = call.text(0);
    DataType type =
        DataType.of(
            Types.isUnicode(text.type()) ? SqlTypeName.NVARCHAR : SqlTypeName.VARCHAR,
            Types.isUnicode(text.type()) ? 4000 : 8000);
    return call.call("REPLACE", type, text, call.text(1), call.text(2));
  }

  private static Typed quoteName(FunctionCall call) throws SqlServerError {
    call.require(1, 2);
    Typed quote =
        call.count() == 2 ? call.text(1) : Typed.literal("[", DataType.of(SqlTypeName.VARCHAR, 1));
    Typed quoted =
        call.call(
            FunctionCall.own("quoteName"),
            DataType.of(SqlTypeName.NVARCHAR, 258),
            call.text(0),
            quote);
    return Typed.of(String.valueOf(quoted.text()), quoted.type(), true);
  }

  private static Typed character(FunctionCall call, SqlTypeName name) throws SqlServerError {
    call.require(1, 1);
    return call.call("CHAR", DataType.of(name, 1), call.argument(0, Types.INT));
  }

  private static Typed sameType(String function, FunctionCall call) throws SqlServerError {
    call.require(1, 1);
    Typed text = call.text(0);
    return call.call(function, variable(text.type()), text);
  }

  private static Typed side(String function, FunctionCall call) throws SqlServerError {
    call.require(2, 2);
    Typed text = call.text(0);
    return call.call(function, variable(text.type()), text, call.argument(1, Types.INT));
  }
}
