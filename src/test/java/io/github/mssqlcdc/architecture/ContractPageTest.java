package io.github.mssqlcdc.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import io.github.mssqlcdc.testkit.contract.Fact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of facts lists each that a test asks a server for. */
final class ContractPageTest {
  private static final Pattern ROW = Pattern.compile("\\| [A-Z]+-\\d+ \\| .*");

  @Test
  void everyFactHasItsRowAndEveryRowItsTest() throws IOException {
    List<String> rows =
        new ClassFileImporter()
                .withImportOption(ContractPageTest::isContractTest)
                .importPackages("io.github.mssqlcdc")
                .stream()
                .map(JavaClass::getMethods)
                .flatMap(java.util.Collection::stream)
                .filter(method -> method.isAnnotatedWith(Fact.class))
                .map(ContractPageTest::row)
                .toList();

    assertThat(Files.readAllLines(Path.of("docs/contract.md")).stream().filter(this::isRow))
        .containsExactlyInAnyOrderElementsOf(rows);
  }

  private static boolean isContractTest(Location location) {
    return location.contains("ContractTest");
  }

  private boolean isRow(String line) {
    return ROW.matcher(line).matches();
  }

  private static String row(JavaMethod method) {
    Fact fact = method.getAnnotationOfType(Fact.class);
    return "| %s | %s | %s | `%s.%s` |"
        .formatted(
            fact.id(),
            fact.value(),
            fact.known().name().toLowerCase(Locale.ROOT),
            method.getOwner().getSimpleName(),
            method.getName());
  }
}
