package io.github.mssqlcdc.options;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds misspelt options. Parsing ignores them; whoever builds a stream or a read for its caller
 * logs them, once.
 */
public final class UnknownOptions {
  private static final Logger LOG = LoggerFactory.getLogger(UnknownOptions.class);

  /** Set by Spark itself, whatever the format. */
  private static final Set<String> SPARKS_OWN = Set.of("path", "paths", "provider", "dbtable");

  private UnknownOptions() {}

  /**
   * One text per name that neither format knows, with the nearest known name. Names that begin with
   * an underscore are the library's own, and {@code jdbc.} ones the driver's.
   */
  public static List<String> warnings(Map<String, String> options) {
    return new TreeSet<>(options.keySet())
        .stream()
            .filter(UnknownOptions::isUnknown)
            .map(
                name ->
                    "Unknown option '"
                        + name
                        + "' is ignored; did you mean '"
                        + nearest(name)
                        + "'?")
            .toList();
  }

  /** Logs each of {@link #warnings} as a WARN. */
  public static void log(Map<String, String> options) {
    warnings(options).forEach(LOG::warn);
  }

  private static boolean isUnknown(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return !lower.startsWith(Options.INTERNAL_PREFIX)
        && !lower.startsWith(Options.DRIVER_PREFIX)
        && !SPARKS_OWN.contains(lower)
        && Options.ALL.stream().noneMatch(option -> option.name().equalsIgnoreCase(name));
  }

  private static String nearest(String name) {
    return Options.ALL.stream()
        .map(ConfigOption::name)
        .min(Comparator.comparingInt(known -> distance(known, name)))
        .orElseThrow();
  }

  /** Levenshtein distance, ignoring case. */
  static int distance(String left, String right) {
    String a = left.toLowerCase(Locale.ROOT);
    String b = right.toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
