package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;
import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import io.github.mssqlcdc.testkit.sqlserver.backend.Collation;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client, from its first byte to its last. Its own thread logs it in and runs its requests; a
 * second one reads ahead, since an attention may come while results are written.
 */
final class ClientConnection implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
  private static final int DATABASE_UNAVAILABLE = 4060;
  private static final int SMALLEST_PACKET = 512;
  private static final int LARGEST_PACKET = 32767;

  private final Socket socket;
  private final Handshake handshake;
  private final Backend backend;
  private final RequestListener listener;
  private final Execution execution = new Execution();
  private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();

  ClientConnection(Socket socket, Handshake handshake, Backend backend, RequestListener listener) {
    this.socket = socket;
    this.handshake = handshake;
    this.backend = backend;
    this.listener = listener;
  }

  /** Drops the connection at once, whatever it is doing. */
  void disconnect() {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.debug("Failed to close {}", socket, e);
    }
  }

  @Override
  public void run() {
    try (socket) {
      Channel channel = handshake.open(socket);
      PacketReader reader = new PacketReader(channel.in());
      Message message = reader.read();
      if (message.type() != MessageType.LOGIN7) {
        throw new IOException("Unknown message of type " + message.type() + " before login");
      }
      try (RequestRunner runner = logIn(channel, reader, Login7.parse(message.payload()))) {
        if (runner != null) {
          startReadingAhead(reader);
          serve(runner);
        }
      }
    } catch (IOException e) {
      LOG.debug("Client has gone: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable RequestRunner logIn(Channel channel, PacketReader reader, Login7 request)
      throws IOException {
    PacketWriter packets = new PacketWriter(channel.out(), Handshake.FIRST_PACKET_SIZE);
    TokenWriter tokens = new TokenWriter(packets);
    Backend.Login login = request.login();
    FederatedLogin federated = request.federated();
    if (federated != null) {
      String token = federated.token();
      login = login.withToken(token == null ? FederatedLogin.ask(tokens, reader) : token);
    }
    try {
      BackendSession session = backend.login(login);
      packets.spid(session.spid());
      int packetSize = packetSize(request.packetSize());
      tokens.databaseChanged(session.database(), "master");
      tokens.collation(Collation.named(null));
      tokens.language("us_english");
      tokens.loginAck(channel.tdsVersion(), backend.majorVersion());
      if (federated != null) {
        FederatedLogin.acknowledge(packets);
      }
      tokens.packetSize(packetSize, Handshake.FIRST_PACKET_SIZE);
      tokens.done(TokenWriter.DONE, 0, 0, -1);
      packets.endMessage();
      packets.packetSize(packetSize);
      return new RequestRunner(backend, login, session, tokens, execution, listener);
    } catch (SqlServerError e) {
      tokens.error(e);
      if (e.number() == DATABASE_UNAVAILABLE) {
        String text = "Login failed for user '" + login.user() + "'.";
        tokens.error(new SqlServerError(18456, 14, 1, text));
      }
      tokens.done(TokenWriter.DONE, TokenWriter.ERROR_STATUS, 0, -1);
      packets.endMessage();
      return null;
    }
  }

  private static int packetSize(int requested) {
    return requested == 0
        ? Handshake.FIRST_PACKET_SIZE
        : Math.min(Math.max(requested, SMALLEST_PACKET), LARGEST_PACKET);
  }

  private void startReadingAhead(PacketReader reader) {
    Thread thread =
        new Thread(() -> readAhead(reader), Thread.currentThread().getName() + "-reader");
    thread.setDaemon(true);
    thread.start();
  }

  private void readAhead(PacketReader reader) {
    try {
      try {
        while (true) {
          Message message = reader.read();
          if (message.type() == MessageType.ATTENTION) {
            execution.cancel();
          }
          inbox.add(message);
        }
      } catch (IOException e) {
        LOG.debug("Client has gone: {}", e.toString());
        execution.cancel();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      inbox.add(new Message(MessageType.HANG_UP, false, false, new byte[0]));
    }
  }

  private void serve(RequestRunner runner) throws InterruptedException {
    boolean open = true;
    while (open) {
      Message message = inbox.take();
      switch (message.type()) {
        case MessageType.HANG_UP -> open = false;
        case MessageType.ATTENTION -> runner.acknowledgeAttention();
        default -> open = runner.run(message);
      }
    }
  }
}
