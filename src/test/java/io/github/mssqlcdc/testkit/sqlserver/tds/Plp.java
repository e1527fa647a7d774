package io.github.mssqlcdc.testkit.sqlserver.tds;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** Partially length-prefixed values, those of the (max) types. */
final class Plp {
  /** Length of a (max) type in TYPE_INFO. */
  static final int MAX_LENGTH = 0xFFFF;

  private static final long NULL = -1L;

  private Plp() {}

  static void writeNull(PacketWriter out) {
    out.i64(NULL);
  }

  /** Starts a value of known length in one chunk; its bytes and {@link #end} have to follow. */
  static void start(PacketWriter out, long length) {
    out.i64(length);
    if (length > 0) {
      out.i32(Math.toIntExact(length));
    }
  }

  static void end(PacketWriter out) {
    out.i32(0);
  }

  /** Reads chunks up to the empty one, whatever total was announced; null for NULL. */
  static byte @Nullable [] read(WireReader in) {
    if (in.i64() == NULL) {
      return null;
    }
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    for (int length = in.i32(); length != 0; length = in.i32()) {
      value.writeBytes(in.bytes(length));
    }
    return value.toByteArray();
  }
}
