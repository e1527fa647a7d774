package io.github.mssqlcdc.testkit.sqlserver.engine.value;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sort keys as functions for H2, called by it through aliases in the schema {@code tsql}. */
public final class OrderFunctions {
  /** Which byte of a guid on the wire counts first. */
  private static final int[] GUID_ORDER = {10, 11, 12, 13, 14, 15, 8, 9, 6, 7, 4, 5, 0, 1, 2, 3};

  private OrderFunctions() {}

  public static byte @Nullable [] textKey(@Nullable String text, String collation) {
    return text == null ? null : TextOrder.of(collation).key(text);
  }

  /** A key that the text can be had back from, for MIN and MAX. */
  public static byte @Nullable [] textWithKey(@Nullable String text, String collation) {
    if (text == null) {
      return null;
    }
    byte[] key = TextOrder.of(collation).key(text);
    byte[] value = text.getBytes(StandardCharsets.UTF_16BE);
    return ByteBuffer.allocate(key.length + value.length + Integer.BYTES)
        .put(key)
        .put(value)
        .putInt(value.length)
        .array();
  }

  public static @Nullable String textOfKey(byte @Nullable [] key) {
    if (key == null) {
      return null;
    }
    int end = key.length - Integer.BYTES;
    int length = ByteBuffer.wrap(key, end, Integer.BYTES).getInt();
    return new String(key, end - length, length, StandardCharsets.UTF_16BE);
  }

  public static byte @Nullable [] guidKey(@Nullable UUID guid) {
    if (guid == null) {
      return null;
    }
    byte[] bytes = Binaries.ofUuid(guid);
    byte[] key = new byte[GUID_ORDER.length];
    for (int i = 0; i < key.length; i++) {
      key[i] = bytes[GUID_ORDER[i]];
    }
    return key;
  }

  public static @Nullable UUID guidOfKey(byte @Nullable [] key) {
    if (key == null) {
      return null;
    }
    byte[] bytes = new byte[key.length];
    for (int i = 0; i < key.length; i++) {
      bytes[GUID_ORDER[i]] = key[i];
    }
    return Binaries.toUuid(Arrays.copyOf(bytes, bytes.length));
  }

  /** Number of a collation's code page; null if there is no such collation. */
  public static @Nullable Integer codePageOf(@Nullable String collation) {
    try {
      return collation == null ? null : (Integer) TextOrder.of(collation).collation().codePage();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  public static @Nullable String codePage(@Nullable String text, String collation) {
    return text == null ? null : TextOrder.of(collation).inCodePage(text);
  }
}
