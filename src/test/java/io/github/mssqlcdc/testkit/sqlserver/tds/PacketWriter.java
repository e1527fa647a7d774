package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Collation;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes one message after another as packets; a packet goes out as soon as it is full, so that the
 * client's reading speed holds the writer back. Numbers are little-endian. Once the client has gone
 * the rest is dropped and {@link #failed()} tells so. Not thread-safe, except for {@link
 * #failed()}.
 */
final class PacketWriter {
  private static final int HEADER = PacketReader.HEADER;

  private final OutputStream out;
  private byte[] packet;
  private int position = HEADER;
  private int number;
  private int spid;
  private volatile boolean failed;

  PacketWriter(OutputStream out, int packetSize) {
    this.out = out;
    this.packet = new byte[packetSize];
  }

  boolean failed() {
    return failed;
  }

  /** Session id that later packets carry. */
  void spid(int id) {
    this.spid = id;
  }

  /** Takes effect between messages only. */
  void packetSize(int bytes) {
    if (position != HEADER) {
      throw new IllegalStateException("Cannot resize packets inside a message");
    }
    this.packet = new byte[bytes];
  }

  void u8(int value) {
    if (position == packet.length) {
      send(0);
    }
    packet[position++] = (byte) value;
  }

  void u16(int value) {
    u8(value);
    u8(value >> 8);
  }

  void i32(int value) {
    u16(value);
    u16(value >> 16);
  }

  void collation(Collation collation) {
    i32(collation.info());
    u8(collation.sortId());
  }

  void i64(long value) {
    i32((int) value);
    i32((int) (value >> 32));
  }

  /** The value's lowest bytes. */
  void lowBytes(long value, int count) {
    for (int i = 0; i < count; i++) {
      u8((int) (value >> (8 * i)));
    }
  }

  void bytes(byte[] values) {
    int offset = 0;
    while (offset < values.length) {
      if (position == packet.length) {
        send(0);
      }
      int part = Math.min(values.length - offset, packet.length - position);
      System.arraycopy(values, offset, packet, position, part);
      position += part;
      offset += part;
    }
  }

  /** UTF-16 units as they are, lone surrogates too. */
  void utf16(String text) {
    for (int i = 0; i < text.length(); i++) {
      u16(text.charAt(i));
    }
  }

  /** Length in a byte, then text. */
  void shortText(String text) {
    u8(text.length());
    utf16(text);
  }

  /** Length in two bytes, then text. */
  void longText(String text) {
    u16(text.length());
    utf16(text);
  }

  void endMessage() {
    send(PacketReader.EOM);
    number = 0;
    if (!failed) {
      try {
        out.flush();
      } catch (IOException e) {
        failed = true;
      }
    }
  }

  private void send(int status) {
    packet[0] = (byte) MessageType.RESPONSE;
    packet[1] = (byte) status;
    packet[2] = (byte) (position >> 8);
    packet[3] = (byte) position;
    packet[4] = (byte) (spid >> 8);
    packet[5] = (byte) spid;
    packet[6] = (byte) ++number;
    packet[7] = 0;
    if (!failed) {
      try {
        out.write(packet, 0, position);
      } catch (IOException e) {
        failed = true;
      }
    }
    position = HEADER;
  }
}
