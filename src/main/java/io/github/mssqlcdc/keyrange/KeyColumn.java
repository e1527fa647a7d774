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

  /** Whether values are bytes, written {@code 0x…}. */
  public boolean isBinary() {
    return switch (type.name()) {
      case "binary", "varbinary", "rowversion" -> true;
      default -> false;
    };
  }
}
