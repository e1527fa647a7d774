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
    while (true) {
      int type = in.readUnsignedByte();
      int status = in.readUnsignedByte();
      int length = in.readUnsignedShort();
      in.readInt();
      if (length < HEADER) {
        throw new EOFException("Invalid TDS packet of " + length + " bytes");
      }
      payload.write(in.readNBytes(length - HEADER));
      reset |= (status & RESET) != 0;
      if ((status & EOM) != 0) {
        return new Message(type, (status & IGNORE) != 0, reset, payload.toByteArray());
      }
    }
  }
}
