package io.github.mssqlcdc.type;

import java.io.Serializable;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A SQL Server type as the catalogue tells it, alias types resolved.
 *
 * @param name base type in lower case: {@code int}, {@code decimal}, {@code nvarchar}
 * @param length characters of a character type, bytes of a binary one; -1 for (max) and what has no
 *     limit; 0 where it has no meaning
 * @param precision digits of a decimal; 0 where it has no meaning
 * @param scale scale of a decimal, digits of the fraction of a time; 0 where it has no meaning
 */
public record SqlType(String name, int length, int precision, int scale) implements Serializable {
  public static final int MAX = -1;

  private static final Map<String, String> OTHER_NAMES =
      Map.of("timestamp", "rowversion", "sysname", "nvarchar");
  private static final Set<String> TEXT =
      Set.of("char", "varchar", "text", "nchar", "nvarchar", "ntext");
  private static final Set<String> LARGE =
      Set.of("xml", "text", "ntext", "image", "json", "geometry", "geography");

  public SqlType {
    String lower = name.toLowerCase(Locale.ROOT);
    name = OTHER_NAMES.getOrDefault(lower, lower);
  }

  /** Whether its values are any characters. */
  boolean isText() {
    return TEXT.contains(name);
  }

  /**
   * Whether its values may be stored outside their row, as large objects, which capture leaves out
   * of some images: any (max), a CLR type without a length of its own among them, and the types
   * that have no other form, whatever length the catalogue tells. Vectors and hierarchyid stay
   * below 8,000 bytes. Known from the catalogue only: the driver shows a (max) column as a plain
   * one.
   */
  public boolean isLarge() {
    return length == MAX || LARGE.contains(name);
  }
}
