package io.github.mssqlcdc.keyrange;

import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.SqlType;
import java.io.Serializable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A column that a table is cut on.
 *
 * @param name its exact name
 * @param type its type; values are compared in it, by the server alone
 * @param collation collation of a character column; null where it has none or it isn't known
 */
public record KeyColumn(String name, SqlType type, @Nullable String collation)
    implements Serializable {
  private static final Pattern COLLATION = Pattern.compile("\\w{1,128}");

  /** It becomes part of a statement's text. */
  public KeyColumn {
    if (collation != null && !COLLATION.matcher(collation).matches()) {
      throw new IllegalArgumentException(
          "Invalid collation '" + collation + "' of column '" + name + "'");
    }
  }

  /** A captured column as a key. */
  public static KeyColumn of(CapturedColumn column) {
    return new KeyColumn(column.name(), column.type(), column.collation());
  }

  /**
   * Whether the server can be asked for keys of it, and takes them back as what they were: the text
   * of a char or varchar needs its collation, for its code page.
   */
  public boolean isSeekable() {
    return switch (type.name()) {
      case "char", "varchar" -> collation != null && !type.isLarge();
      case "nchar", "nvarchar", "binary", "varbinary" -> !type.isLarge();
      case "tinyint", "smallint", "int", "bigint", "bit", "decimal", "numeric" -> true;
      case "money", "smallmoney", "uniqueidentifier", "rowversion" -> true;
      case "date", "datetime", "smalldatetime", "datetime2", "datetimeoffset" -> true;
      default -> false;
    };
  }

  /** Whether values are whole numbers that a long holds. */
  public boolean isInteger() {
    return KeyText.isInteger(type);
  }

  /** The smallest value of an integer column's type. */
  public String smallestInteger() {
    return KeyNumber.smallest(type);
  }

  /** Whether a bound lies behind every value of an integer column's type: it is the next one. */
  public boolean isPastEnd(String bound) {
    return KeyNumber.isPastEnd(type, bound);
  }

  /**
   * A value's text in the form in which it is bound.
   *
   * @throws IllegalArgumentException or {@link java.time.DateTimeException} if it is no value of
   *     the column's type, or one that the type would round or cut off
   */
  public String value(String text) {
    return KeyText.of(type, text);
  }

  /** Whether values are bytes, written {@code 0x…}. */
  public boolean isBinary() {
    return switch (type.name()) {
      case "binary", "varbinary", "rowversion" -> true;
      default -> false;
    };
  }
}
