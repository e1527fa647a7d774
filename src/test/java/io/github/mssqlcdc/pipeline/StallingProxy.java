package io.github.mssqlcdc.pipeline;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * A network in front of a server that stops in the middle of large answers, until it is told to
 * drop them; from then on it lets everything pass. Thread-safe.
 */
final class StallingProxy implements AutoCloseable {
  private static final int BUFFER = 8_192;

  private final ServerSocket listener;
  private final int target;
  private final long largest;
  private final List<Socket> stalled = new ArrayList<>();
  private boolean passesAll;

  /**
   * @param target port of the server
   * @param largest bytes to a client after which its connection stalls
   */
  StallingProxy(int target, long largest) throws IOException {
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.target = target;
    this.largest = largest;
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Waits until so many connections have stalled; tells whether they have in this time. */
  synchronized boolean awaitStalled(int count, long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    while (stalled.size() < count) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }

  /** Drops what has stalled; nothing stalls any more. */
  synchronized void drop() {
    passesAll = true;
    stalled.forEach(StallingProxy::closeQuietly);
    notifyAll();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        start(() -> pump(client, server, Long.MAX_VALUE));
        start(() -> pump(server, client, largest));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void pump(Socket from, Socket to, long limit) {
    byte[] buffer = new byte[BUFFER];
    long passed = 0;
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        passed += count;
        if (passed > limit) {
          stall(to);
        }
        out.write(buffer, 0, count);
      }
    } catch (IOException e) {
      // one of them is gone, so is the other
    }
  }

  private synchronized void stall(Socket client) {
    if (passesAll) {
      return;
    }
    stalled.add(client);
    notifyAll();
    try {
      while (!passesAll) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "stalling-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    drop();
    listener.close();
  }
}
