package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import java.util.Map;
import java.util.Set;

/** Operators between values, with T-SQL's result types. */
final class Arithmetic {
  private static final Map<String, String> BITS =
      Map.of("&", "BITAND", "|", "BITOR", "^", "BITXOR");
  private static final Set<SqlTypeName> MONEY = Set.of(SqlTypeName.MONEY, SqlTypeName.SMALLMONEY);

  private final Bindings bindings;
  private final Coercion coercion;

  Arithmetic(Bindings bindings, Coercion coercion) {
    this.bindings = bindings;
    this.coercion = coercion;
  }

  Typed binary(String operator, Typed left, Typed right) throws SqlServerError {
    Typed a = left.isNullLiteral() ? coercion.cast(left, right.type(), 0) : left;
    Typed b = right.isNullLiteral() ? coercion.cast(right, left.type(), 0) : right;
    boolean nullable = a.nullable() || b.nullable();
    if (operator.equals("+") && Types.isCharacter(a.type()) && Types.isCharacter(b.type())) {
      DataType type = Types.concatenated(a.type(), b.type());
      return Typed.of(infix("||", a, b), type, nullable);
    }
    if (operator.equals("+") && Types.isBinary(a.type()) && Types.isBinary(b.type())) {
      int length = Math.min(8000, a.type().length() + b.type().length());
      DataType type = DataType.of(SqlTypeName.VARBINARY, length);
      return Typed.of(infix("||", a, b), type, nullable);
    }
    DataType common = Types.common(a.type(), b.type());
    if (!Types.isNumber(common) || Types.isTemporal(a.type()) || Types.isTemporal(b.type())) {
      throw new SqlServerError(
          402,
          16,
          1,
          "The data types "
              + Types.baseName(a.type())
              + " and "
              + Types.baseName(b.type())
              + " are incompatible in the "
              + operator
              + " operator.");
    }
    return numeric(operator, asNumber(a, common), asNumber(b, common), common, nullable);
  }

  private Typed asNumber(Typed operand, DataType common) throws SqlServerError {
    return Types.isNumber(operand.type()) && operand.type().name() != SqlTypeName.BIT
        ? operand
        : coercion.implicit(operand, common);
  }

  private Typed numeric(String operator, Typed a, Typed b, DataType common, boolean nullable)
      throws SqlServerError {
    if (BITS.containsKey(operator)) {
      if (!Types.isInteger(common)) {
        throw Errors.badSyntax(operator);
      }
      String sql = BITS.get(operator) + "(" + a.sql(bindings) + ", " + b.sql(bindings) + ")";
      return Typed.of(sql, common, nullable);
    }
    if (Types.isApproximate(common)) {
      String sql = infix(operator, asFloat(a), asFloat(b));
      return Typed.of("CAST(" + sql + " AS " + Types.h2(common) + ")", common, nullable);
    }
    if (Types.isExact(common) && !MONEY.contains(common.name())) {
      return decimal(operator, a, b, nullable);
    }
    DataType type = common.name() == SqlTypeName.BIT ? Types.INT : common;
    String sql = "CAST(" + infix(operator, a, b) + " AS " + Types.h2(type) + ")";
    return Typed.of(sql, type, nullable);
  }

  private Typed asFloat(Typed operand) throws SqlServerError {
    return Types.isApproximate(operand.type()) ? operand : coercion.cast(operand, Types.FLOAT, 0);
  }

  private Typed decimal(String operator, Typed a, Typed b, boolean nullable) throws SqlServerError {
    DataType type = decimalResult(operator, shape(a), shape(b));
    String sql =
        operator.equals("/")
            ? "\"tsql\".\"x_divide\"("
                + a.sql(bindings)
                + ", "
                + b.sql(bindings)
                + ", "
                + type.scale()
                + ")"
            : infix(operator, a, b);
    return Typed.of("CAST(" + sql + " AS " + Types.h2(type) + ")", type, nullable);
  }

  /** A written integer is a decimal of its own digits, not of an int's ten. */
  private static DataType shape(Typed operand) {
    if (operand.constant() != null
        && operand.constant().literal()
        && operand.constant().value() instanceof Number number
        && Types.isInteger(operand.type())) {
      return DataType.decimal(Long.toString(Math.abs(number.longValue())).length(), 0);
    }
    return Types.asDecimal(operand.type());
  }

  private static DataType decimalResult(String operator, DataType a, DataType b) {
    int wholeA = a.precision() - a.scale();
    int wholeB = b.precision() - b.scale();
    int scale;
    int precision;
    switch (operator) {
      case "*" -> {
        scale = a.scale() + b.scale();
        precision = a.precision() + b.precision() + 1;
      }
      case "/" -> {
        scale = Math.max(6, a.scale() + b.precision() + 1);
        precision = wholeA + b.scale() + scale;
      }
      case "%" -> {
        scale = Math.max(a.scale(), b.scale());
        precision = Math.min(wholeA, wholeB) + scale;
      }
      default -> {
        scale = Math.max(a.scale(), b.scale());
        precision = Math.max(wholeA, wholeB) + scale + 1;
      }
    }
    if (precision > 38) {
      int whole = precision - scale;
      scale = Math.max(Math.min(scale, 6), 38 - whole);
      precision = 38;
    }
    return new DataType(SqlTypeName.NUMERIC, 0, precision, Math.max(0, scale), null);
  }

  Typed unary(String operator, Typed operand) throws SqlServerError {
    if (!Types.isNumber(operand.type())) {
      throw new SqlServerError(
          8117,
          16,
          1,
          "Operand data type "
              + Types.baseName(operand.type())
              + " is invalid for "
              + operator
              + " operator.");
    }
    String sql = operand.sql(bindings);
    return switch (operator) {
      case "-" -> Typed.of("(- " + sql + ")", operand.type(), operand.nullable());
      case "~" -> Typed.of("BITNOT(" + sql + ")", operand.type(), operand.nullable());
      default -> operand;
    };
  }

  private String infix(String operator, Typed a, Typed b) {
    return "(" + a.sql(bindings) + " " + operator + " " + b.sql(bindings) + ")";
  }
}
