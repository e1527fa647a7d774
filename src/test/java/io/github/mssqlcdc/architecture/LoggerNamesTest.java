package io.github.mssqlcdc.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Levels are set by logger names, so these are part of what users rely on. */
final class LoggerNamesTest {
  private static final Path MAIN = Path.of("src/main/java");
  private static final Pattern LOGGER = Pattern.compile("getLogger\\(([^)]*)\\)");
  private static final Pattern DOCUMENTED = Pattern.compile("`io\\.github\\.mssqlcdc\\.([a-z.]+)`");

  @Test
  void eachLoggerIsNamedAfterItsClass() throws IOException {
    List<String> others = new ArrayList<>();
    for (Path file : classes()) {
      String name = file.getFileName().toString().replace(".java", "");
      LOGGER
          .matcher(Files.readString(file))
          .results()
          .filter(logger -> !logger.group(1).equals(name + ".class"))
          .forEach(logger -> others.add(file + ": " + logger.group(1)));
    }

    assertThat(others).isEmpty();
  }

  @Test
  void eachPackageThatLogsIsDocumentedAndNoOther() throws IOException {
    Set<String> logging = new TreeSet<>();
    for (Path file : classes()) {
      if (LOGGER.matcher(Files.readString(file)).find()) {
        String folder = MAIN.relativize(file.getParent()).toString().replace('/', '.');
        PackageMap.nameOf(folder).ifPresent(logging::add);
      }
    }
    Set<String> documented = new TreeSet<>();
    Matcher row = DOCUMENTED.matcher(Files.readString(Path.of("docs/reference/logging.md")));
    while (row.find()) {
      documented.add(row.group(1));
    }

    assertThat(documented).isEqualTo(logging);
  }

  private static List<Path> classes() throws IOException {
    try (Stream<Path> files = Files.walk(MAIN)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }
}
