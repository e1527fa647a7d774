package io.github.mssqlcdc.testkit.network;

import io.github.mssqlcdc.testkit.network.Fault.Direction;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A network in front of a server. Without a fault it lets everything pass; with one, the first so
 * many connections that reach it are hit, each counting its bytes from when the fault was set.
 * Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
  private static final int BUFFER = 8_192;
  private static final int RECEIVED_AHEAD = 65_536;

  private final ServerSocket listener;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private volatile int target;
  private volatile Runnable beforeConnect = () -> {};
  private volatile Armed armed = new Armed(Fault.cut(Long.MAX_VALUE), 0);

  /** A fault that has been set, with the connections that it may still hit. */
  private static final class Armed {
    private final Fault fault;
    private int left;
    private int hits;

    Armed(Fault fault, int left) {
      this.fault = fault;
      this.left = left;
    }

    /** Whether another connection is to be hit. */
    synchronized boolean hit() {
      if (left == 0) {
        return false;
      }
      left--;
      hits++;
      notifyAll();
      return true;
    }

    synchronized int hits() {
      return hits;
    }

    synchronized boolean await(int count, long millis) throws InterruptedException {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      while (hits < count) {
        long rest = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (rest <= 0) {
          return false;
        }
        wait(rest);
      }
      return true;
    }
  }

  /**
   * @param target port of the server
   */
  public FaultProxy(int target) {
    try {
      this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.target = target;
    start(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** The URL of a server's database, by this network. */
  public String through(String url) {
    return url.replaceFirst("localhost:\\d+", "localhost:" + port());
  }

  /** From now on so many connections meet the fault; replaces the one before. */
  public void set(Fault fault, int connections) {
    armed = new Armed(fault, connections);
  }

  /** The next connection that gets so far meets the fault. */
  public void set(Fault fault) {
    set(fault, 1);
  }

  /** Waits until so many connections have met the fault; tells whether they have in this time. */
  public boolean awaitHits(int count, long millis) throws InterruptedException {
    return armed.await(count, millis);
  }

  /** Connections that have met the fault. */
  public int hits() {
    return armed.hits();
  }

  /** Ends the connections that have stalled; the fault hits no other. */
  public void heal() {
    armed = new Armed(Fault.cut(Long.MAX_VALUE), 0);
    links.stream().filter(link -> link.isStalled).forEach(Link::cut);
  }

  /** From now on connections lead to another server. */
  public void leadTo(int port) {
    target = port;
  }

  /** The next so many connections are closed at once, as by a server that isn't there. */
  public void refuse(int connections) {
    refused.set(connections);
  }

  /** Runs before each connection that is made or refused. */
  public void beforeConnect(Runnable action) {
    beforeConnect = action;
  }

  /** Connections made or refused so far. */
  public int accepted() {
    return accepted.get();
  }

  /** Connections open now. */
  public int open() {
    return links.size();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    links.forEach(Link::cut);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        accepted.incrementAndGet();
        beforeConnect.run();
        if (refused.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
          client.close();
          continue;
        }
        Socket server = connect();
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Link link = new Link(client, server);
        links.add(link);
        start(() -> link.pump(client, server, Direction.TO_SERVER));
        start(() -> link.pump(server, client, Direction.TO_CLIENT));
      } catch (IOException e) {
        // the door was closed, or the client has gone
      }
    }
  }

  /** Takes little ahead: what a slow link holds back the server hasn't sent, either. */
  private Socket connect() throws IOException {
    Socket server = new Socket();
    server.setReceiveBufferSize(RECEIVED_AHEAD);
    server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
    return server;
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "fault-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  /** A connection through the network. */
  private final class Link {
    private final Socket client;
    private final Socket server;
    private volatile boolean isStalled;

    Link(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void pump(Socket from, Socket to, Direction direction) {
      byte[] buffer = new byte[BUFFER];
      Armed seen = armed;
      long passed = 0;
      Optional<Fault> slow = Optional.empty();
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          if (seen != armed) {
            seen = armed;
            passed = 0;
            slow = Optional.empty();
          }
          Fault fault = seen.fault;
          int before = (int) Math.min(count, Math.max(0, fault.at() - passed));
          boolean isDue =
              fault.direction() == direction && passed + count > fault.at() && passed <= fault.at();
          if (isDue && seen.hit()) {
            out.write(buffer, 0, before);
            if (!befall(fault)) {
              return;
            }
            slow = Optional.of(fault).filter(each -> each.kind() == Fault.Kind.THROTTLE);
            out.write(buffer, before, count - before);
          } else {
            hold();
            out.write(buffer, 0, count);
          }
          passed += count;
          if (slow.isPresent()) {
            TimeUnit.MILLISECONDS.sleep(slow.get().pause().toMillis());
          }
        }
      } catch (IOException e) {
        // one of them is gone, so is the other
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        cut();
      }
    }

    /** Whether the connection goes on. */
    private boolean befall(Fault fault) throws IOException, InterruptedException {
      switch (fault.kind()) {
        case CUT -> cut();
        case RESET -> {
          client.setSoLinger(true, 0);
          server.setSoLinger(true, 0);
          cut();
        }
        case STALL -> {
          isStalled = true;
          hold();
        }
        case DELAY -> TimeUnit.MILLISECONDS.sleep(fault.pause().toMillis());
        case THROTTLE -> {}
      }
      return fault.kind() == Fault.Kind.DELAY || fault.kind() == Fault.Kind.THROTTLE;
    }

    /** Lets nothing pass while it is stalled. */
    private synchronized void hold() throws InterruptedException {
      while (isStalled) {
        wait();
      }
    }

    synchronized void cut() {
      isStalled = false;
      links.remove(this);
      notifyAll();
      for (Socket socket : new Socket[] {client, server}) {
        try {
          socket.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }
}
