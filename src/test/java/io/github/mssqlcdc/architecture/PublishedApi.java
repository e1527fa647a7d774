package io.github.mssqlcdc.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The public classes that {@code docs/architecture.md} lists as the API. */
final class PublishedApi {
  private static final Pattern ROW =
      Pattern.compile("^\\| `(\\w+)` \\| (all|`.*`) \\|$", Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");
  private static final Map<String, Set<String>> BY_PACKAGE = read();

  private PublishedApi() {}

  private static Map<String, Set<String>> read() {
    try {
      Map<String, Set<String>> api = new TreeMap<>();
      Matcher row = ROW.matcher(Files.readString(Path.of("docs/architecture.md")));
      while (row.find()) {
        api.put(
            row.group(1),
            NAME.matcher(row.group(2))
                .results()
                .map(name -> name.group(1))
                .collect(Collectors.toUnmodifiableSet()));
      }
      return api;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean has(JavaClass type) {
    if (!type.getModifiers().contains(JavaModifier.PUBLIC)) {
      return false;
    }
    if (type.getEnclosingClass().isPresent()) {
      return has(type.getEnclosingClass().get());
    }
    Set<String> names = PackageMap.nameOf(type.getPackageName()).map(BY_PACKAGE::get).orElse(null);
    return names != null && (names.isEmpty() || names.contains(type.getSimpleName()));
  }
}
