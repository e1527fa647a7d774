package io.github.mssqlcdc.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each promise names tests that exist, or says why it is open. */
final class PromisesTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| ([A-Z]+-[0-9a-z]+) \\| (.+) \\| (.+) \\|$");
  private static final Pattern PROOF = Pattern.compile("`(\\w+)\\.(\\w+)`");
  private static final Pattern TEST =
      Pattern.compile(
          "(?s)@(?:Test|ParameterizedTest|Property|RepeatedTest)\\b.*?\\b(?:void|boolean)\\s+(\\w+)\\(");

  @Test
  void everyPromiseIsProvedOrOpen() throws IOException {
    Map<String, String> tests = tests();
    List<String> faults = new ArrayList<>();
    Map<String, String> seen = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(Path.of("docs/promises.md")));
    while (row.find()) {
      String id = row.group(1);
      String proof = row.group(3);
      if (seen.put(id, proof) != null) {
        faults.add(id + " stands there twice");
      }
      List<String> named =
          PROOF.matcher(proof).results().map(m -> m.group(1) + "." + m.group(2)).toList();
      if (named.isEmpty() && !proof.startsWith("open: ")) {
        faults.add(id + " has neither a proof nor a reason why it is open");
      }
      named.stream()
          .filter(test -> !tests.containsKey(test))
          .forEach(test -> faults.add(id + " names a test that doesn't exist: " + test));
    }

    assertThat(faults).isEmpty();
  }

  @Test
  void everyLineOfTheTablesIsARowOfThree() throws IOException {
    assertThat(
            Files.readAllLines(Path.of("docs/promises.md")).stream()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| id "))
                .filter(line -> !ROW.matcher(line).matches()))
        .isEmpty();
  }

  /** Names of test methods, as {@code Class.method}. */
  private static Map<String, String> tests() throws IOException {
    Map<String, String> tests = new TreeMap<>();
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        String type = file.getFileName().toString().replace(".java", "");
        Matcher test = TEST.matcher(Files.readString(file));
        while (test.find()) {
          tests.put(type + "." + test.group(1), file.toString());
        }
      }
    }
    return tests;
  }
}
