package io.github.mssqlcdc.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The build finds tests by the names of their classes: one of another name would never run. */
final class TestNamesTest {
  private static final Pattern TESTS =
      Pattern.compile("^  @(Test|ParameterizedTest|Property|Example|Fact)\\b", Pattern.MULTILINE);

  @Test
  void classesWithTestsAreNamedAsTheBuildFindsThem() throws IOException {
    String pom = Files.readString(Path.of("pom.xml"));
    assertThat(pom)
        .contains("<include>**/*Test.java</include>", "<include>**/*Properties.java</include>");

    List<Path> tests = tests();
    assertThat(tests).hasSizeGreaterThan(100);
    assertThat(tests)
        .allSatisfy(
            file ->
                assertThat(file.getFileName().toString()).matches(".*(Test|Properties)\\.java"));
  }

  /** An abstract class has its tests run by those that extend it. */
  private static List<Path> tests() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(TestNamesTest::holdsTests)
          .toList();
    }
  }

  private static boolean holdsTests(Path file) {
    try {
      String text = Files.readString(file);
      return TESTS.matcher(text).find() && !text.contains("abstract class");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
