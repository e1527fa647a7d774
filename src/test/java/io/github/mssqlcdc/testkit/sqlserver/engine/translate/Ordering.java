package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.TextOrder;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import java.util.List;

/** Comparison as SQL Server does it where H2 doesn't: strings by their collation, guids. */
final class Ordering {
  private static final String EQUAL = "equal to";

  private final String databaseCollation;

  Ordering(String databaseCollation) {
    this.databaseCollation = databaseCollation;
  }

  /** Whether H2 would sort values of the type in another way. */
  static boolean isKeyed(DataType type) {
    return Types.isCharacter(type) || isGuid(type);
  }

  static boolean isGuid(DataType type) {
    return type.name() == SqlTypeName.UNIQUEIDENTIFIER;
  }

  String collation(DataType type) {
    return type.collation() == null ? databaseCollation : type.collation();
  }

  TextOrder order(DataType type) {
    return TextOrder.of(collation(type));
  }

  /** What to sort and group by in place of the value. */
  String key(String sql, DataType type) {
    if (Types.isCharacter(type)) {
      return FunctionCall.own("textKey") + "(" + sql + ", '" + collation(type) + "')";
    }
    return isGuid(type) ? FunctionCall.own("guidKey") + "(" + sql + ")" : sql;
  }

  /** The type both are compared as. */
  DataType shared(DataType a, DataType b) throws SqlServerError {
    if (a.collation() == null || b.collation() == null) {
      return a.collation() == null ? b : a;
    }
    if (!a.collation().equalsIgnoreCase(b.collation())) {
      throw new SqlServerError(
          468,
          16,
          9,
          "Cannot resolve the collation conflict between \""
              + b.collation()
              + "\" and \""
              + a.collation()
              + "\" in the "
              + EQUAL
              + " operation.");
    }
    return a;
  }

  /** {@code DISTINCT} over these columns, as far as H2 needs to be told by what. */
  String distinct(List<String> values, List<Output> columns) {
    if (columns.stream().noneMatch(column -> Types.isCharacter(column.type()))) {
      return "DISTINCT ";
    }
    StringBuilder keys = new StringBuilder("DISTINCT ON (");
    for (int i = 0; i < columns.size(); i++) {
      keys.append(i == 0 ? "" : ", ").append(key(values.get(i), columns.get(i).type()));
    }
    return keys.append(") ").toString();
  }

  /** MIN or MAX by the order of keys, and back to the value. */
  String extreme(String function, String sql, DataType type, String over) {
    if (isGuid(type)) {
      return own("guidOfKey", function + "(" + key(sql, type) + ")" + over);
    }
    if (!Types.isCharacter(type) || order(type).collation().isBinary()) {
      return function + "(" + sql + ")" + over;
    }
    String withKey = own("textWithKey", sql + ", '" + collation(type) + "'");
    return own("textOfKey", function + "(" + withKey + ")" + over);
  }

  private static String own(String function, String arguments) {
    return FunctionCall.own(function) + "(" + arguments + ")";
  }
}
