package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Listens on the loopback address and serves TDS clients. All threads are daemons. Thread-safe. */
public final class TdsServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final ServerSocket listening;
  private final Backend backend;
  private final RequestListener listener;
  private final Handshake handshake;
  private final Map<ClientConnection, Thread> connections = new ConcurrentHashMap<>();
  private final Thread acceptor;

  private TdsServer(Builder builder) {
    this.backend = builder.backend;
    this.listener = builder.listener;
    this.handshake = new Handshake(builder.encryption, backend.majorVersion());
    try {
      this.listening = new ServerSocket(builder.port, 0, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot listen on port " + builder.port, e);
    }
    this.acceptor = new Thread(this::accept, "tds-" + port());
    acceptor.setDaemon(true);
  }

  public static Builder builder(Backend backend) {
    return new Builder(backend);
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** A PKCS12 file with the server's certificate, for a client's {@code trustStore}. */
  public Path trustStore() {
    return ServerCertificate.shared().trustStore();
  }

  public String trustStorePassword() {
    return ServerCertificate.shared().trustStorePassword();
  }

  /** Clients connected now, those that are logging in too. */
  public int connections() {
    return connections.size();
  }

  /** Drops every client's socket at once, as a failing network does; new ones may come. */
  public void disconnectAll() {
    connections.keySet().forEach(ClientConnection::disconnect);
  }

  /** Stops listening, drops every client and waits until their sessions are closed. */
  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to close port " + port(), e);
    }
    try {
      acceptor.join(PATIENCE.toMillis());
      disconnectAll();
      for (Thread thread : connections.values()) {
        thread.join(PATIENCE.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void accept() {
    for (int number = 1; !listening.isClosed(); number++) {
      try {
        Socket socket = listening.accept();
        socket.setTcpNoDelay(true);
        serve(new ClientConnection(socket, handshake, backend, listener), number);
      } catch (IOException e) {
        // closed, or the client has gone already: the loop's condition tells
      }
    }
  }

  private void serve(ClientConnection connection, int number) {
    Runnable work =
        () -> {
          try {
            connection.run();
          } finally {
            connections.remove(connection);
          }
        };
    Thread thread = new Thread(work, "tds-" + port() + "-" + number);
    thread.setDaemon(true);
    connections.put(connection, thread);
    thread.start();
  }

  /** Settings of a server. */
  public static final class Builder {
    private final Backend backend;
    private int port;
    private Encryption encryption = Encryption.OPTIONAL;
    private RequestListener listener = (login, spid, sql) -> {};

    private Builder(Backend backend) {
      this.backend = backend;
    }

    /** Zero, the default, for any free one. */
    public Builder port(int port) {
      this.port = port;
      return this;
    }

    /** {@link Encryption#OPTIONAL} if not set. */
    public Builder encryption(Encryption encryption) {
      this.encryption = encryption;
      return this;
    }

    public Builder listener(RequestListener listener) {
      this.listener = listener;
      return this;
    }

    public TdsServer start() {
      TdsServer server = new TdsServer(this);
      server.acceptor.start();
      return server;
    }
  }
}
