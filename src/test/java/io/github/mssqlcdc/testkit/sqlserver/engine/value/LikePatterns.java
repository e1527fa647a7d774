package io.github.mssqlcdc.testkit.sqlserver.engine.value;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** LIKE's patterns as regular expressions. */
final class LikePatterns {
  private LikePatterns() {}

  static String regex(String pattern, @Nullable String escape) {
    StringBuilder regex = new StringBuilder();
    int i = 0;
    while (i < pattern.length()) {
      char c = pattern.charAt(i);
      int close = c == '[' ? pattern.indexOf(']', i + 1) : -1;
      if (escape != null
          && !escape.isEmpty()
          && c == escape.charAt(0)
          && i + 1 < pattern.length()) {
        i++;
        regex.append(Pattern.quote(pattern.substring(i, i + 1)));
      } else if (c == '%') {
        regex.append(".*");
      } else if (c == '_') {
        regex.append('.');
      } else if (close > 0) {
        regex.append(characterClass(pattern.substring(i + 1, close)));
        i = close;
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
      i++;
    }
    return regex.append(" *").toString();
  }

  private static String characterClass(String inside) {
    boolean negated = inside.startsWith("^");
    String characters = negated ? inside.substring(1) : inside;
    return (negated ? "[^" : "[") + characters.replaceAll("([\\\\\\[\\]&^])", "\\\\$1") + "]";
  }
}
