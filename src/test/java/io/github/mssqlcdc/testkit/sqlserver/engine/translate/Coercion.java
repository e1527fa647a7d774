package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Conversions;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.SqlFunctions;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;

/** Conversions written in H2's SQL: by CAST where H2 does the same, by a function where not. */
final class Coercion {
  private final Bindings bindings;
  private final Ordering ordering;

  Coercion(Bindings bindings, Ordering ordering) {
    this.bindings = bindings;
    this.ordering = ordering;
  }

  /** CAST and CONVERT. */
  Typed cast(Typed from, DataType to, int style) throws SqlServerError {
    if (from.isNullLiteral()) {
      return Typed.literal(null, to);
    }
    if (from.constant() != null) {
      Object value = Conversions.convert(from.constant().value(), from.type(), to, style);
      if (value instanceof String text && isLimited(to)) {
        value = ordering.order(to).inCodePage(text);
      }
      return new Typed(
          null, to, value == null, new Typed.Constant(value, from.constant().literal()));
    }
    String sql = castSql(from.sql(bindings), from.type(), to, style);
    return Typed.of(
        changesCodePage(from.type(), to) ? inCodePage(sql, to) : sql, to, from.nullable());
  }

  /** TRY_CAST: NULL for what can't be converted. */
  Typed tryCast(Typed from, DataType to, int style) throws SqlServerError {
    if (from.isConstant()) {
      try {
        return cast(from, to, style);
      } catch (SqlServerError e) {
        return Typed.literal(null, to);
      }
    }
    String sql = function(from.sql(bindings), from.type(), to, -style - 1);
    return Typed.of(sql, to, true);
  }

  /** An implicit conversion, where T-SQL allows it. */
  Typed implicit(Typed from, DataType to) throws SqlServerError {
    if (!from.isNullLiteral()) {
      checkImplicit(from.type(), to);
    }
    return same(from.type(), to) && !from.isNullLiteral() ? from : cast(from, to, 0);
  }

  private static void checkImplicit(DataType from, DataType to) throws SqlServerError {
    boolean refused =
        (Types.isCharacter(from) && Types.isBinary(to))
            || (Types.isTemporal(from) && Types.isNumber(to));
    if (refused) {
      throw new SqlServerError(
          257,
          16,
          3,
          "Implicit conversion from data type "
              + Types.baseName(from)
              + " to "
              + Types.baseName(to)
              + " is not allowed. Use the CONVERT function to run this query.");
    }
  }

  /** Whether the type's strings stand in a code page, not in Unicode. */
  static boolean isLimited(DataType type) {
    return Types.isCharacter(type) && !Types.isUnicode(type);
  }

  private boolean changesCodePage(DataType from, DataType to) {
    return Types.isCharacter(from)
        && isLimited(to)
        && !(isLimited(from)
            && ordering
                .order(from)
                .collation()
                .charset()
                .equals(ordering.order(to).collation().charset()));
  }

  private String inCodePage(String sql, DataType to) {
    String text = FunctionCall.own("codePage") + "(" + sql + ", '" + ordering.collation(to) + "')";
    return "CAST(" + text + " AS " + Types.h2(to) + ")";
  }

  private boolean same(DataType a, DataType b) {
    return !changesCodePage(a, b)
        && a.name() == b.name()
        && a.length() == b.length()
        && a.precision() == b.precision()
        && a.scale() == b.scale();
  }

  /** A value for a column: never cut, so that what is too long fails. */
  Typed assign(Typed from, DataType to) throws SqlServerError {
    if (!Types.isCharacter(to) && !Types.isBinary(to)) {
      return implicit(from, to);
    }
    DataType unlimited = new DataType(variable(to.name()), DataType.MAX, 0, 0, to.collation());
    Typed value = implicit(from, unlimited);
    if (!Types.isFixedText(to)) {
      return value;
    }
    if (value.constant() != null) {
      String padded = SqlFunctions.pad((String) value.constant().value(), to.length());
      return new Typed(
          null, to, value.nullable(), new Typed.Constant(padded, value.constant().literal()));
    }
    String sql = "\"tsql\".\"x_pad\"(" + value.sql(bindings) + ", " + to.length() + ")";
    return Typed.of(sql, to, value.nullable());
  }

  private static SqlTypeName variable(SqlTypeName name) {
    return switch (name) {
      case CHAR -> SqlTypeName.VARCHAR;
      case NCHAR -> SqlTypeName.NVARCHAR;
      case BINARY, ROWVERSION -> SqlTypeName.VARBINARY;
      default -> name;
    };
  }

  private String castSql(String sql, DataType from, DataType to, int style) throws SqlServerError {
    if (Types.isCharacter(from) && Types.isCharacter(to)) {
      return text(sql, to);
    }
    if (isNative(from, to)) {
      boolean cutsOff = (Types.isExact(from) || Types.isApproximate(from)) && Types.isInteger(to);
      String operand = cutsOff ? "TRUNC(" + sql + ")" : sql;
      return "CAST(" + operand + " AS " + Types.h2(to) + ")";
    }
    return function(sql, from, to, style);
  }

  private static String text(String sql, DataType to) {
    String cast = "CAST(" + sql + " AS " + Types.h2(to) + ")";
    return Types.isFixedText(to)
        ? "CAST(\"tsql\".\"x_pad\"(" + cast + ", " + to.length() + ") AS " + Types.h2(to) + ")"
        : cast;
  }

  private static boolean isNative(DataType from, DataType to) {
    if (Types.isNumber(from) && Types.isNumber(to)) {
      return to.name() != SqlTypeName.BIT
          && to.name() != SqlTypeName.TINYINT
          && !(Types.isApproximate(from) && Types.isExact(to));
    }
    if (Types.isBinary(from) && Types.isBinary(to)) {
      return true;
    }
    return isDateOrTimestamp(from)
        && (to.name() == SqlTypeName.DATE || to.name() == SqlTypeName.DATETIME2);
  }

  private static boolean isDateOrTimestamp(DataType type) {
    return Types.isTemporal(type)
        && type.name() != SqlTypeName.TIME
        && type.name() != SqlTypeName.DATETIMEOFFSET;
  }

  private static String function(String sql, DataType from, DataType to, int style)
      throws SqlServerError {
    String name =
        switch (to.name()) {
          case BIT -> "castBit";
          case TINYINT, SMALLINT, INT -> "castInteger";
          case BIGINT -> "castBigint";
          case REAL, FLOAT -> "castFloat";
          case DECIMAL, NUMERIC, MONEY, SMALLMONEY -> "castDecimal";
          case DATE -> "castDate";
          case TIME -> "castTime";
          case DATETIME, SMALLDATETIME, DATETIME2 -> "castDateTime";
          case DATETIMEOFFSET -> "castOffset";
          case CHAR, VARCHAR, NCHAR, NVARCHAR, TEXT, NTEXT, XML -> "castText";
          case BINARY, VARBINARY, IMAGE, ROWVERSION -> "castBinary";
          case UNIQUEIDENTIFIER -> "castUuid";
        };
    if (Types.isTemporal(from) && Types.isNumber(to)) {
      throw Errors.clash(Types.baseName(from), Types.baseName(to));
    }
    return "CAST(\"tsql\".\"x_"
        + name
        + "\"("
        + sql
        + ", '"
        + SqlFunctions.encode(from)
        + "', '"
        + SqlFunctions.encode(to)
        + "', "
        + style
        + ") AS "
        + Types.h2(to)
        + ")";
  }
}
