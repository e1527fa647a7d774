package io.github.mssqlcdc.testkit.sqlserver.tds;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/**
 * What JSSE takes for a socket while the TLS handshake travels in PRELOGIN messages: one message
 * per flight and direction, so what JSSE writes is held back until it reads again. After {@link
 * #endHandshake()} bytes pass as they are.
 */
final class PreloginSocket extends Socket {
  private static final int LARGEST_PAYLOAD = Handshake.FIRST_PACKET_SIZE - PacketReader.HEADER;

  private final Socket socket;
  private final InputStream raw;
  private final ByteArrayOutputStream flight = new ByteArrayOutputStream();
  private InputStream message = InputStream.nullInputStream();
  private volatile boolean handshaking = true;

  PreloginSocket(Socket socket, InputStream raw) {
    this.socket = socket;
    this.raw = raw;
  }

  void endHandshake() throws IOException {
    sendFlight();
    handshaking = false;
  }

  private void sendFlight() throws IOException {
    byte[] bytes = flight.toByteArray();
    flight.reset();
    for (int offset = 0; offset < bytes.length; offset += LARGEST_PAYLOAD) {
      int length = Math.min(LARGEST_PAYLOAD, bytes.length - offset);
      int size = length + PacketReader.HEADER;
      int status = offset + length == bytes.length ? PacketReader.EOM : 0;
      byte[] packet = new byte[size];
      packet[0] = (byte) MessageType.PRELOGIN;
      packet[1] = (byte) status;
      packet[2] = (byte) (size >> 8);
      packet[3] = (byte) size;
      System.arraycopy(bytes, offset, packet, PacketReader.HEADER, length);
      socket.getOutputStream().write(packet);
    }
    socket.getOutputStream().flush();
  }

  private int readUnwrapped(byte[] target, int offset, int length) throws IOException {
    if (!handshaking) {
      return raw.read(target, offset, length);
    }
    sendFlight();
    int count = message.read(target, offset, length);
    if (count < 0) {
      message = new ByteArrayInputStream(new PacketReader(raw).read().payload());
      count = message.read(target, offset, length);
    }
    return count;
  }

  @Override
  public InputStream getInputStream() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        return readUnwrapped(target, offset, length);
      }
    };
  }

  @Override
  public OutputStream getOutputStream() {
    return new OutputStream() {
      @Override
      public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
      }

      @Override
      public void write(byte[] source, int offset, int length) throws IOException {
        if (handshaking) {
          flight.write(source, offset, length);
        } else {
          socket.getOutputStream().write(source, offset, length);
        }
      }
    };
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public boolean isClosed() {
    return socket.isClosed();
  }

  @Override
  public InetAddress getInetAddress() {
    return socket.getInetAddress();
  }

  @Override
  public int getPort() {
    return socket.getPort();
  }

  @Override
  public synchronized void close() throws IOException {
    socket.close();
  }
}
