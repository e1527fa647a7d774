package io.github.mssqlcdc.type;

import java.io.Serializable;
import java.util.Locale;
import java.util.Set;

/**
 * A SQL Server type as the catalogue tells it, alias types resolved.
 *
 * @param name base type in lower case: {@code int}, {@code decimal}, {@code nvarchar}
 * @param length characters of a character type, bytes of a binary one; -1 for (max); 0 where it has
 *     no meaning
 * @param precision digits of a decimal; 0 where it has no meaning
 * @param scale scale of a decimal, digits of the fraction of a time; 0 where it has no meaning
 */
public record SqlType(String name, int length, int precision, int scale) implements Serializable {
  public static final int MAX = -1;

  private static final Set<String> UNBOUNDED = Set.of("text", "ntext", "image", "xml");

  public SqlType {
    name = name.toLowerCase(Locale.ROOT);
  }

  /** Whether values may be stored outside the row, where CDC doesn't always fetch them. */
  public boolean isLarge() {
    return length == MAX || UNBOUNDED.contains(name);
  }
}
