package io.github.mssqlcdc.benchmark;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;

/** A network between client and server on which each request takes its time. */
final class DelayProxy implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final ServerSocket listener;
  private final int target;
  private volatile Duration delay = Duration.ZERO;

  /**
   * @param target the server's port
   */
  DelayProxy(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    background(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** From now on: what a client sends waits so long. */
  void delay(Duration newDelay) {
    delay = newDelay;
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listener.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      background(() -> pump(client, server, true));
      background(() -> pump(server, client, false));
    }
  }

  private void pump(Socket from, Socket to, boolean isRequest) throws IOException {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[BUFFER];
      // a request is shorter than the buffer
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (isRequest) {
          pause(delay);
        }
        out.write(buffer, 0, read);
      }
    }
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void background(Loop loop) {
    Thread thread =
        new Thread(
            () -> {
              try {
                loop.run();
              } catch (IOException e) {
                // one of both has closed its end
              }
            },
            "delay-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @FunctionalInterface
  private interface Loop {
    void run() throws IOException;
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
