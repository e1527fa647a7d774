package io.github.mssqlcdc.testkit.sqlserver.tds;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Brings a fresh socket to the point where LOGIN7 may come. Thread-safe. */
final class Handshake {
  static final int FIRST_PACKET_SIZE = 4096;
  private static final int TLS_HANDSHAKE_RECORD = 0x16;

  private final Encryption encryption;
  private final int majorVersion;

  Handshake(Encryption encryption, int majorVersion) {
    this.encryption = encryption;
    this.majorVersion = majorVersion;
  }

  /**
   * @throws IOException the client hung up, speaks no TDS, or can't agree on encryption
   */
  Channel open(Socket socket) throws IOException {
    PushbackInputStream in = new PushbackInputStream(socket.getInputStream());
    int first = in.read();
    if (first == TLS_HANDSHAKE_RECORD) {
      return openStrict(socket);
    }
    if (first >= 0) {
      in.unread(first);
    }
    int reply = answerPrelogin(new Channel(in, socket.getOutputStream(), Channel.TDS_7_4));
    if (reply == Prelogin.ENCRYPT_NOT_SUPPORTED) {
      return new Channel(in, socket.getOutputStream(), Channel.TDS_7_4);
    }
    return openTlsInPrelogin(socket, in);
  }

  /** TDS 8.0: the first bytes are TLS, PRELOGIN comes inside and its encryption means nothing. */
  private Channel openStrict(Socket socket) throws IOException {
    if (encryption == Encryption.OFF) {
      throw new IOException("Cannot speak TLS: encryption is off");
    }
    InputStream consumed = new ByteArrayInputStream(new byte[] {TLS_HANDSHAKE_RECORD});
    SSLContext context = ServerCertificate.shared().sslContext();
    SSLSocket tls =
        (SSLSocket)
            context.getSocketFactory().createSocket(socket, consumed, /* autoClose= */ true);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"tds/8.0"});
    tls.setSSLParameters(parameters);
    tls.startHandshake();
    Channel channel = new Channel(tls.getInputStream(), tls.getOutputStream(), Channel.TDS_8_0);
    answerPrelogin(channel);
    return channel;
  }

  private int answerPrelogin(Channel channel) throws IOException {
    Message prelogin = new PacketReader(channel.in()).read();
    if (prelogin.type() != MessageType.PRELOGIN) {
      throw new IOException("Unknown first message of type " + prelogin.type());
    }
    int reply = agree(Prelogin.encryption(prelogin.payload()));
    PacketWriter writer = new PacketWriter(channel.out(), FIRST_PACKET_SIZE);
    Prelogin.writeReply(
        writer, majorVersion, reply, Prelogin.federated(prelogin.payload()));
    return reply;
  }

  private int agree(int requested) {
    boolean wanted = requested == Prelogin.ENCRYPT_ON || requested == Prelogin.ENCRYPT_REQUIRED;
    return switch (encryption) {
      case OFF -> Prelogin.ENCRYPT_NOT_SUPPORTED;
      case OPTIONAL -> wanted ? Prelogin.ENCRYPT_ON : Prelogin.ENCRYPT_NOT_SUPPORTED;
      case REQUIRED -> wanted ? Prelogin.ENCRYPT_ON : Prelogin.ENCRYPT_REQUIRED;
    };
  }

  private static Channel openTlsInPrelogin(Socket socket, InputStream in) throws IOException {
    PreloginSocket wrapped = new PreloginSocket(socket, in);
    SSLContext context = ServerCertificate.shared().sslContext();
    SSLSocket tls =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(
                    wrapped, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
    tls.setUseClientMode(false);
    // 1.3 sends tickets after its handshake: they would straddle the end of the wrapping
    tls.setEnabledProtocols(new String[] {"TLSv1.2"});
    tls.startHandshake();
    wrapped.endHandshake();
    return new Channel(tls.getInputStream(), tls.getOutputStream(), Channel.TDS_7_4);
  }
}
