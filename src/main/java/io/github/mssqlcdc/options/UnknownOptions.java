package io.github.mssqlcdc.options;

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
  private static final Set<String> SPARKS_OWN = Set.of("path", "paths", "provider");

  private static final List<String> KNOWN = Options.ALL.stream().map(ConfigOption::name).toList();

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
                        + Spelling.nearest(name, KNOWN)
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
        && KNOWN.stream().noneMatch(name::equalsIgnoreCase);
  }
}
