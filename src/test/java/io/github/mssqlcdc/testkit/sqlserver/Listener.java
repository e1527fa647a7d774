package io.github.mssqlcdc.testkit.sqlserver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One address in front of several servers, as an availability group's listener: a connection goes
 * to the server that is on at that moment. Thread-safe.
 */
public final class Listener implements AutoCloseable {
  private final ServerSocket door;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();
  private volatile int port;
  private volatile Runnable beforeConnect = () -> {};

  public Listener(StandIn first) {
    try {
      door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    port = first.port();
    run(this::accept);
  }

  /** The URL of a server's database, by this address. */
  public String through(String url) {
    return url.replaceFirst("localhost:\\d+", "localhost:" + door.getLocalPort());
  }

  /** From now on this server answers; what is connected is cut off. */
  public void switchTo(StandIn server) {
    port = server.port();
    open.forEach(Listener::close);
  }

  /** Runs before each connection that is made. */
  public void beforeConnect(Runnable action) {
    beforeConnect = action;
  }

  /** Connections made so far. */
  public int accepted() {
    return accepted.get();
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Socket client = door.accept();
        accepted.incrementAndGet();
        beforeConnect.run();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        open.add(client);
        open.add(server);
        run(() -> pump(client, server));
        run(() -> pump(server, client));
      } catch (IOException e) {
        // the door was closed, or a server is gone: its clients see it
      }
    }
  }

  private void pump(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // cut off
    } finally {
      open.remove(from);
    }
  }

  private static void run(Runnable work) {
    Thread thread = new Thread(work, "listener");
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    open.forEach(Listener::close);
  }
}
