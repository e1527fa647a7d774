package io.github.mssqlcdc.testkit.sqlserver.tds;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads packets and puts them together to messages. Not thread-safe. */
final class PacketReader {
  static final int HEADER = 8;
  static final int EOM = 0x01;
  private static final int IGNORE = 0x02;
  private static final int RESET = 0x08 | 0x10;

  private final DataInputStream in;

  PacketReader(InputStream in) {
    this.in = new DataInputStream(in);
  }

  /**
   * @throws EOFException the client has hung up
   */
  Message read() throws IOException {
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    boolean reset = false;
    byte[] header = new byte[HEADER];
    while (true) {
      in.readFully(header);
      int status = header[1];
      int length = Byte.toUnsignedInt(header[2]) << 8 | Byte.toUnsignedInt(header[3]);
      if (length < HEADER) {
        throw new EOFException("Invalid TDS packet of " + length + " bytes");
      }
      byte[] part = new byte[length - HEADER];
      in.readFully(part);
      payload.writeBytes(part);
      reset |= (status & RESET) != 0;
      if ((status & EOM) != 0) {
        return new Message(header[0], (status & IGNORE) != 0, reset, payload.toByteArray());
      }
    }
  }
}
