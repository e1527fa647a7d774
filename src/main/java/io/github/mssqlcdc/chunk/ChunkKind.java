package io.github.mssqlcdc.chunk;

import java.util.Locale;

/** How the chunks of a table are found. */
public enum ChunkKind {
  /** One integer column: by counts of rows per slice of its values. */
  INT,
  /** Any other key: by seeks of so many keys, in the server's order. */
  KEYSET;

  /** As it is stored: {@code int}, {@code keyset}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * From the stored text.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static ChunkKind parse(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
