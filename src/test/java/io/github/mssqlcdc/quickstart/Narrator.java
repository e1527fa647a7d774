package io.github.mssqlcdc.quickstart;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Says what happens, line by line, with the time that has passed. */
final class Narrator {
  private final PrintStream out;
  private final long start = System.nanoTime();

  Narrator(PrintStream out) {
    this.out = out;
  }

  /** A step that begins now. */
  void step(String text, Object... arguments) {
    double seconds = Duration.ofNanos(System.nanoTime() - start).toMillis() / 1000.0;
    line(String.format(Locale.ROOT, "[%5.1f s] ", seconds) + text.formatted(arguments));
  }

  void line(String text) {
    out.println(text);
    out.flush();
  }

  void table(String title, List<String> header, List<List<String>> rows) {
    line("");
    line(title);
    TextTable.lines(header, rows).forEach(row -> line("  " + row));
  }
}
