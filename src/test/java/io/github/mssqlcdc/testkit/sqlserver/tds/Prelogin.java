package io.github.mssqlcdc.testkit.sqlserver.tds;

import java.io.IOException;
import java.nio.ByteBuffer;

/** PRELOGIN's option list: one byte option, two of offset, two of length, all big-endian. */
final class Prelogin {
  static final int ENCRYPT_OFF = 0;
  static final int ENCRYPT_ON = 1;
  static final int ENCRYPT_NOT_SUPPORTED = 2;
  static final int ENCRYPT_REQUIRED = 3;

  private static final int VERSION = 0;
  private static final int ENCRYPTION = 1;
  private static final int FEDERATED = 6;
  private static final int TERMINATOR = 0xFF;

  private Prelogin() {}

  /** The client's ENCRYPTION option; off if there is none. */
  static int encryption(byte[] payload) throws IOException {
    return option(payload, ENCRYPTION, ENCRYPT_OFF);
  }

  /** Whether the client wants to log in by an access token. */
  static boolean federated(byte[] payload) throws IOException {
    return option(payload, FEDERATED, 0) != 0;
  }

  private static int option(byte[] payload, int wanted, int absent) throws IOException {
    ByteBuffer options = ByteBuffer.wrap(payload);
    while (options.hasRemaining()) {
      int option = Byte.toUnsignedInt(options.get());
      if (option == TERMINATOR) {
        return absent;
      }
      int offset = Short.toUnsignedInt(options.getShort());
      options.getShort();
      if (option == wanted) {
        return payload[offset];
      }
    }
    throw new IOException("Invalid PRELOGIN message: no terminator");
  }

  static void writeReply(
      PacketWriter out, int majorVersion, int encryption, boolean federated) {
    int values = (federated ? 3 : 2) * 5 + 1;
    option(out, VERSION, values, 6);
    option(out, ENCRYPTION, values + 6, 1);
    if (federated) {
      option(out, FEDERATED, values + 7, 1);
    }
    out.u8(TERMINATOR);
    out.u8(majorVersion);
    out.u8(0);
    out.u8(ServerVersion.BUILD >> 8);
    out.u8(ServerVersion.BUILD);
    out.u16(0);
    out.u8(encryption);
    if (federated) {
      out.u8(1);
    }
    out.endMessage();
  }

  private static void option(PacketWriter out, int option, int offset, int length) {
    out.u8(option);
    out.u8(offset >> 8);
    out.u8(offset);
    out.u8(length >> 8);
    out.u8(length);
  }
}
