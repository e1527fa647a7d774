package io.github.mssqlcdc.testkit.sqlserver.tds;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A message written by hand. */
final class WireBytes {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  WireBytes u8(int value) {
    bytes.write(value);
    return this;
  }

  WireBytes u16(int value) {
    return u8(value).u8(value >> 8);
  }

  WireBytes utf16(String text) {
    bytes.writeBytes(text.getBytes(StandardCharsets.UTF_16LE));
    return this;
  }

  byte[] array() {
    return bytes.toByteArray();
  }
}
