package io.github.mssqlcdc.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page on errors knows every code and exception, and quotes no message that is gone. */
final class TroubleshootingTest {
  private static final Path MAIN = Path.of("src/main/java");
  private static final Pattern SECTION = Pattern.compile("(?ms)^### ([A-Z_]+)\\n(.*?)(?=^##|\\z)");

  /** A message stands in the first cell of a row, or at the start of a section. */
  private static final Pattern QUOTE = Pattern.compile("(?m)^(?:\\| )?`([^`]*)`(?=[.,| ])");

  private static final Pattern RAISED = Pattern.compile("ErrorCode\\.([A-Z_]+)");
  private static final Pattern JOIN = Pattern.compile("\"\\s*\\+\\s*\"");

  @Test
  void everyCodeHasItsSectionAndNoneIsStale() throws IOException {
    assertThat(sections().map(section -> section.group(1)))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(ErrorCode.values()).map(Enum::name).toList());
  }

  @Test
  void everyCodeIsRaisedSomewhereUnlessItsSectionSaysOtherwise() throws IOException {
    Set<String> raised = new TreeSet<>();
    RAISED.matcher(sources()).results().forEach(code -> raised.add(code.group(1)));

    assertThat(sections().filter(section -> !section.group(2).contains("never raises it")))
        .extracting(section -> section.group(1))
        .allMatch(raised::contains);
  }

  @Test
  void everyExceptionIsMentioned() throws IOException {
    try (Stream<Path> files = Files.list(MAIN.resolve("io/github/mssqlcdc/error"))) {
      List<String> exceptions =
          files
              .map(file -> file.getFileName().toString().replace(".java", ""))
              .filter(name -> name.endsWith("Exception"))
              .toList();
      String page = page();

      assertThat(exceptions).isNotEmpty().allMatch(name -> page.contains("| `" + name + "`"));
    }
  }

  @Test
  void everyMessageQuotedIsOneOfTheLibrary() throws IOException {
    String literals = JOIN.matcher(sources()).replaceAll("");
    List<String> gone = new ArrayList<>();
    int quotes = 0;
    for (MatchResult section : sections().toList()) {
      Matcher quote = QUOTE.matcher(section.group(2));
      while (quote.find()) {
        quotes++;
        for (String fragment : quote.group(1).split("…", -1)) {
          if (!literals.contains(fragment.strip())) {
            gone.add(section.group(1) + ": " + fragment);
          }
        }
      }
    }

    assertThat(gone).isEmpty();
    assertThat(quotes).isGreaterThan(40);
  }

  private static String page() throws IOException {
    return Files.readString(Path.of("docs/troubleshooting.md"));
  }

  private static Stream<MatchResult> sections() throws IOException {
    return SECTION.matcher(page()).results();
  }

  private static String sources() throws IOException {
    try (Stream<Path> files = Files.walk(MAIN)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(TroubleshootingTest::read)
          .collect(Collectors.joining("\n"));
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
