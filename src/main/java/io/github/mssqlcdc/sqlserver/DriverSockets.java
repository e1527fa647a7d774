package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.registry.JvmRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.sql.Driver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.SocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the driver's sockets, and keeps them where they can be closed under it: to abort a
 * connection is not enough, for inside TLS that waits for the very read that it is to end. Public
 * for the driver, which makes it by its name. Thread-safe.
 */
public final class DriverSockets extends SocketFactory {
  private final Opened opened;

  /** The sockets of one connection. */
  static final class Opened {
    private static final Logger LOG = LoggerFactory.getLogger(DriverSockets.class);

    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private Socket add(Socket socket) {
      sockets.removeIf(Socket::isClosed);
      sockets.add(socket);
      return socket;
    }

    /** Whoever reads from one of them fails at once. */
    void close() {
      for (Socket socket : sockets) {
        try {
          socket.close();
        } catch (IOException e) {
          LOG.debug("Cannot close a socket", e);
        }
      }
    }
  }

  /**
   * @param key under which {@link JvmRegistry} has the connection's {@link Opened}
   */
  public DriverSockets(String key) {
    this.opened = JvmRegistry.shared(Opened.class, key, Opened::new);
  }

  /** Whether the driver's class loader finds this class: a driver of the cluster's may not. */
  static boolean isKnownTo(Driver driver) {
    try {
      ClassLoader loader = driver.getClass().getClassLoader();
      return Class.forName(DriverSockets.class.getName(), false, loader) == DriverSockets.class;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Override
  public Socket createSocket() {
    return opened.add(new Socket());
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return opened.add(new Socket(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return opened.add(new Socket(host, port, localHost, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return opened.add(new Socket(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return opened.add(new Socket(host, port, localHost, localPort));
  }
}
