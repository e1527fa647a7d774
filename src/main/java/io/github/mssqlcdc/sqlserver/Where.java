package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.keyrange.ColumnFilter;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyOrder;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.type.SqlType;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A WHERE clause under construction: texts and the values of their markers, in one order. The
 * server alone compares, in the column's own type: values are bound as text and cast, so that
 * nothing of them passes through a type of Java's. Casts of parameters keep a condition fit for an
 * index seek, and its row estimate right, which variables would not.
 */
final class Where {
  private final String alias;
  private final List<String> conditions = new ArrayList<>();
  private final List<Object> values = new ArrayList<>();

  /**
   * @param alias of the table
   */
  Where(String alias) {
    this.alias = alias;
  }

  /** Adds nothing for a range that is open at both ends. */
  Where range(@Nullable KeyRange range) {
    if (range != null) {
      KeySql.range(this, range);
    }
    return this;
  }

  /** Adds nothing where nothing has been read yet. */
  Where rest(@Nullable KeyOrder order) {
    if (order != null && order.after() != null) {
      KeySql.after(this, order.columns(), order.after());
    }
    return this;
  }

  Where filters(List<ColumnFilter> filters) {
    for (ColumnFilter filter : filters) {
      KeyColumn column = filter.column();
      String operator = filter.operator().sql();
      and(
          switch (filter.operator()) {
            case IS_NULL, IS_NOT_NULL -> name(column) + " " + operator;
            case IN ->
                filter.values().stream()
                    .map(value -> marker(column, value))
                    .collect(Collectors.joining(", ", name(column) + " IN (", ")"));
            default -> compare(column, operator, filter.values().get(0));
          });
    }
    return this;
  }

  /** Adds a condition whose markers' values have been added, in their order. */
  void and(String condition) {
    conditions.add(condition);
  }

  /** The text of a comparison; its value is added at once. */
  String compare(KeyColumn column, String operator, String value) {
    return name(column) + " " + operator + " " + marker(column, value);
  }

  String isNull(KeyColumn column) {
    return name(column) + " IS NULL";
  }

  String isNotNull(KeyColumn column) {
    return name(column) + " IS NOT NULL";
  }

  /** Appends the clause; nothing without conditions. */
  void addTo(Batch batch) {
    if (!conditions.isEmpty()) {
      batch.add("WHERE " + String.join("\nAND ", conditions), values.toArray());
    }
  }

  private String name(KeyColumn column) {
    return alias + "." + Quoting.name(column.name());
  }

  /** Only with the column's collation does a text keep characters of its code page. */
  private String marker(KeyColumn column, String value) {
    values.add(
        column.isBinary() ? HexFormat.of().parseHex(value, "0x".length(), value.length()) : value);
    String collation = column.collation();
    return "CAST(?"
        + (collation == null ? "" : " COLLATE " + collation)
        + " AS "
        + type(column.type())
        + ")";
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
