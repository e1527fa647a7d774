package io.github.mssqlcdc.testkit.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A server in a JVM of its own, on this one's class path. It is told by lines, and answers by lines
 * that begin with {@link #ANSWER}; what else it prints is dropped. It has to end when its standard
 * input does, so that it never outlives this process. One thread's own.
 */
public final class JavaProcess implements AutoCloseable {
  /** How a server begins a line that is meant for the one who has started it. */
  public static final String ANSWER = "> ";

  private static final int PATIENCE_SECONDS = 10;
  private static final String END = "";

  private final String name;
  private final Process process;
  private final PrintStream input;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  private JavaProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    Thread reader = new Thread(this::read, name + "-output");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * @param heap as {@code -Xmx} takes it
   */
  public static JavaProcess start(Class<?> main, String heap, List<String> args)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                main.getName()));
    command.addAll(args);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return new JavaProcess(main.getSimpleName(), builder.start());
  }

  public void say(String line) {
    input.println(line);
  }

  /**
   * The next answer, without what it begins with.
   *
   * @throws IOException if the process has ended
   */
  public String answer() throws IOException {
    String answer;
    try {
      answer = answers.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while " + name + " was to answer");
    }
    if (answer.equals(END)) {
      answers.add(END);
      throw new IOException(name + " has ended; standard error says why");
    }
    return answer;
  }

  private void read() {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      output
          .lines()
          .filter(line -> line.startsWith(ANSWER))
          .forEach(line -> answers.add(line.substring(ANSWER.length())));
    } catch (IOException e) {
      // it has ended
    } finally {
      answers.add(END);
    }
  }

  @Override
  public void close() {
    try {
      input.close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
