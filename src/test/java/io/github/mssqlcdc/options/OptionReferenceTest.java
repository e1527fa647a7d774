package io.github.mssqlcdc.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The option reference lists every option with its default, and no other. */
class OptionReferenceTest {
  private static final Pattern ROW =
      Pattern.compile("^\\| `([A-Za-z]+)` \\| ([^|]*) \\|", Pattern.MULTILINE);

  @Test
  void theReferenceListsEveryOptionWithItsDefault() throws IOException {
    Map<String, String> documented = new TreeMap<>();
    ROW.matcher(Files.readString(Path.of("docs/reference/options.md")))
        .results()
        .forEach(row -> documented.put(row.group(1), row.group(2).strip()));
    Map<String, String> declared = new TreeMap<>();
    Options.ALL.forEach(
        option -> declared.put(option.name(), option.fallback() == null ? "" : option.fallback()));

    assertThat(documented).isEqualTo(declared);
  }

  @Test
  void everyOptionIsExplained() {
    assertThat(Options.ALL)
        .allSatisfy(option -> assertThat(option.help()).endsWith("."))
        .allSatisfy(option -> assertThat(option.allowed()).isNotBlank());
  }
}
