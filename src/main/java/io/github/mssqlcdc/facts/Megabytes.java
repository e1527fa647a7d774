package io.github.mssqlcdc.facts;

import org.jspecify.annotations.Nullable;

/** Sizes as the facts and notes of commits have them, {@code read_mb}: in millions of bytes. */
public final class Megabytes {
  private static final double BYTES = 1e6;

  private Megabytes() {}

  public static @Nullable Double of(@Nullable Long bytes) {
    return bytes == null ? null : (Double) (bytes / BYTES);
  }

  public static @Nullable Long bytes(@Nullable Double megabytes) {
    return megabytes == null ? null : (Long) Math.round(megabytes * BYTES);
  }
}
