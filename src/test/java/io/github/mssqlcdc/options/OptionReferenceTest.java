package io.github.mssqlcdc.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.options.ConfigOption.Formats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The option reference lists every option with its default and its values, and no other. */
class OptionReferenceTest {
  private static final Pattern SECTION = Pattern.compile("(?ms)^## ([^\n]+)\n(.*?)(?=^## |\\z)");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([A-Za-z]+)` \\| ([^|]*) \\| ([^|]*) \\| ([^|]+) \\|$");

  @Test
  void theReferenceListsEveryOptionWithFormatDefaultAndValues() throws IOException {
    Map<String, String> documented = new TreeMap<>();
    SECTION
        .matcher(Files.readString(Path.of("docs/reference/options.md")))
        .results()
        .forEach(
            section ->
                ROW.matcher(section.group(2))
                    .results()
                    .forEach(
                        row ->
                            documented.put(
                                row.group(1),
                                entry(formats(section.group(1)), row.group(2), row.group(3)))));
    Map<String, String> declared = new TreeMap<>();
    Options.ALL.forEach(
        option ->
            declared.put(
                option.name(),
                entry(
                    option.formats(),
                    option.fallback() == null ? "" : option.fallback(),
                    option.allowed())));

    assertThat(documented).isEqualTo(declared);
  }

  @Test
  void everyOptionIsExplained() {
    assertThat(Options.ALL)
        .allSatisfy(option -> assertThat(option.help()).endsWith("."))
        .allSatisfy(option -> assertThat(option.allowed()).isNotBlank());
  }

  private static Formats formats(String section) {
    return switch (section) {
      case "Streams" -> Formats.STREAM;
      case "Snapshots" -> Formats.SNAPSHOT;
      default -> Formats.BOTH;
    };
  }

  private static String entry(Formats formats, String fallback, String allowed) {
    return formats + " / " + fallback.strip() + " / " + allowed.strip().replace("`", "");
  }
}
