package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.type.SqlType;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a key range. The server alone compares, in the column's own type: values are
 * bound as text and cast, so that nothing of them passes through a type of Java's. Casts of
 * parameters keep a condition fit for an index seek, and its row estimate right, which variables
 * would not.
 */
final class KeySql {
  private static final String TRUE = "1 = 1";
  private static final String FALSE = "1 = 0";

  private final String alias;
  private final List<KeyColumn> columns;
  private final List<Object> values = new ArrayList<>();

  private KeySql(String alias, List<KeyColumn> columns) {
    this.alias = alias;
    this.columns = columns;
  }

  /** Appends the WHERE clause of a range, none where it is open at both ends. */
  static void where(Batch batch, String alias, KeyRange range) {
    KeySql sql = new KeySql(alias, range.columns());
    List<String> conditions = new ArrayList<>();
    KeyBound lo = range.lo();
    KeyBound hi = range.hi();
    if (lo != null) {
      conditions.add(sql.notBefore(lo));
    }
    if (hi != null) {
      conditions.add(sql.before(hi, lo == null || lo.values().get(0) == null));
    }
    if (!conditions.isEmpty()) {
      batch.add("WHERE " + String.join("\nAND ", conditions), sql.values.toArray());
    }
  }

  private String notBefore(KeyBound lo) {
    String leading = lo.values().get(0);
    // an index can be sought by the leading column alone; the rest only sorts out its ties
    String seek = columns.size() == 1 || leading == null ? "" : compare(0, ">=", leading) + " AND ";
    return seek + notBefore(lo, 0);
  }

  private String notBefore(KeyBound lo, int i) {
    String value = lo.values().get(i);
    if (i == columns.size() - 1) {
      return value == null ? TRUE : compare(i, ">=", value);
    }
    String after = value == null ? isNotNull(i) : compare(i, ">", value);
    String at = equal(i, value);
    return "(" + after + " OR (" + at + " AND " + notBefore(lo, i + 1) + "))";
  }

  /**
   * @param nulls whether the leading column may be NULL here, which comes before all values
   */
  private String before(KeyBound hi, boolean nulls) {
    String leading = hi.values().get(0);
    String seek =
        columns.size() == 1 || leading == null || nulls ? "" : compare(0, "<=", leading) + " AND ";
    return seek + before(hi, 0, nulls);
  }

  private String before(KeyBound hi, int i, boolean nulls) {
    String value = hi.values().get(i);
    boolean isLast = i == columns.size() - 1;
    if (value == null) {
      return isLast ? FALSE : "(" + isNull(i) + " AND " + before(hi, i + 1, true) + ")";
    }
    List<String> either = new ArrayList<>();
    either.add(compare(i, "<", value));
    if (nulls) {
      either.add(isNull(i));
    }
    if (!isLast) {
      either.add("(" + equal(i, value) + " AND " + before(hi, i + 1, true) + ")");
    }
    return either.size() == 1 ? either.get(0) : "(" + String.join(" OR ", either) + ")";
  }

  private String equal(int i, @Nullable String value) {
    return value == null ? isNull(i) : compare(i, "=", value);
  }

  private String isNull(int i) {
    return name(i) + " IS NULL";
  }

  private String isNotNull(int i) {
    return name(i) + " IS NOT NULL";
  }

  private String compare(int i, String operator, String value) {
    KeyColumn column = columns.get(i);
    values.add(
        column.isBinary() ? HexFormat.of().parseHex(value, "0x".length(), value.length()) : value);
    return name(i)
        + " "
        + operator
        + " CAST("
        + marker(column)
        + " AS "
        + type(column.type())
        + ")";
  }

  /** Only with the column's collation does a text keep characters of its code page. */
  private static String marker(KeyColumn column) {
    String collation = column.collation();
    return collation == null ? "?" : "? COLLATE " + collation;
  }

  private String name(int i) {
    return alias + "." + Quoting.name(columns.get(i).name());
  }

  /** The type as T-SQL writes it. */
  static String type(SqlType type) {
    return switch (type.name()) {
      case "char", "varchar", "nchar", "nvarchar", "binary", "varbinary" ->
          type.name() + "(" + (type.length() == SqlType.MAX ? "max" : type.length()) + ")";
      case "decimal", "numeric" -> type.name() + "(" + type.precision() + ", " + type.scale() + ")";
      case "datetime2", "datetimeoffset", "time" -> type.name() + "(" + type.scale() + ")";
      case "rowversion" -> "binary(8)";
      case "tinyint", "smallint", "int", "bigint", "bit", "money", "smallmoney", "float", "real" ->
          type.name();
      case "date", "datetime", "smalldatetime", "uniqueidentifier" -> type.name();
      default -> throw new IllegalArgumentException("Unsupported type of a key: " + type.name());
    };
  }
}
