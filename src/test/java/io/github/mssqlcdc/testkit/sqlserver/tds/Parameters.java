package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binds values that came without names to the declared parameters, by position. */
final class Parameters {
  private Parameters() {}

  /**
   * @throws SqlServerError 8178 for a missing value, 8144 for one too many
   */
  static List<Request.Parameter> bind(
      String sql, String declarations, List<Request.Parameter> values) throws SqlServerError {
    List<Declarations.Declaration> declared = Declarations.parse(declarations);
    if (values.size() > declared.size()) {
      throw new SqlServerError(
          8144, 16, 2, "Procedure or function has too many arguments specified.");
    }
    List<Request.Parameter> bound = new ArrayList<>();
    for (Declarations.Declaration declaration : declared) {
      if (bound.size() == values.size()) {
        throw missing(sql, declarations, declaration.name());
      }
      bound.add(bind(declaration, values.get(bound.size())));
    }
    return List.copyOf(bound);
  }

  private static Request.Parameter bind(
      Declarations.Declaration declaration, Request.Parameter sent) {
    Object value = sent.value();
    DataType type = declaration.type();
    if (value != null && !type.name().valueClass().isInstance(value)) {
      Object converted = value instanceof Number number ? convert(number, type.name()) : null;
      if (converted == null) {
        // a value the declared type has no room for on this seam: it stays what it was sent as
        return new Request.Parameter(declaration.name(), sent.type(), value, sent.output());
      }
      value = converted;
    }
    return new Request.Parameter(declaration.name(), type, value, sent.output());
  }

  /** The driver declares float and sends real, for one. */
  private static @Nullable Object convert(Number value, SqlTypeName type) {
    BigDecimal exact = new BigDecimal(value.toString());
    return switch (type) {
      case BIT -> exact.signum() != 0;
      case TINYINT, SMALLINT, INT -> exact.intValueExact();
      case BIGINT -> exact.longValueExact();
      case REAL -> value.floatValue();
      case FLOAT -> value.doubleValue();
      case DECIMAL, NUMERIC, MONEY, SMALLMONEY -> exact;
      default -> null;
    };
  }

  private static SqlServerError missing(String sql, String declarations, String name) {
    return new SqlServerError(
        8178,
        16,
        1,
        "The parameterized query '("
            + declarations
            + ")"
            + sql
            + "' expects the parameter '"
            + name
            + "', which was not supplied.");
  }
}
