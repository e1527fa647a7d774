package io.github.mssqlcdc.testkit.sqlserver.tds;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads a message's payload: little-endian numbers, UTF-16 text. Not thread-safe. */
final class WireReader {
  private final ByteBuffer buffer;

  WireReader(byte[] payload) {
    this.buffer = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
  }

  boolean hasMore() {
    return buffer.hasRemaining();
  }

  int remaining() {
    return buffer.remaining();
  }

  int position() {
    return buffer.position();
  }

  void position(int offset) {
    buffer.position(offset);
  }

  void skip(int count) {
    buffer.position(buffer.position() + count);
  }

  int u8() {
    return Byte.toUnsignedInt(buffer.get());
  }

  int u16() {
    return Short.toUnsignedInt(buffer.getShort());
  }

  int i32() {
    return buffer.getInt();
  }

  long i64() {
    return buffer.getLong();
  }

  /** An unsigned number of one to seven bytes. */
  long unsigned(int count) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value |= (long) u8() << (8 * i);
    }
    return value;
  }

  byte[] bytes(int count) {
    byte[] values = new byte[count];
    buffer.get(values);
    return values;
  }

  String utf16(int characters) {
    char[] text = new char[characters];
    for (int i = 0; i < characters; i++) {
      text[i] = buffer.getChar();
    }
    return new String(text);
  }
}
