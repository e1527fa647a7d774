package io.github.mssqlcdc.source;

import io.github.mssqlcdc.options.UnknownOptions;
import java.util.Map;

/** Warns of misspelt options, where a format is used without the facade. */
final class UnknownNames {
  private static final String INTERNAL_PREFIX = "_";

  private UnknownNames() {}

  /** The facade, which alone sets options of the library's own, has logged them for its caller. */
  static void log(Map<String, String> options) {
    if (options.keySet().stream().noneMatch(name -> name.startsWith(INTERNAL_PREFIX))) {
      UnknownOptions.log(options);
    }
  }
}
