package io.github.mssqlcdc.options;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the properties of a JDBC URL. */
public final class UrlProperties {
  /** {@code ;name=value}, where braces guard a value that holds semicolons. */
  private static final Pattern PROPERTY =
      Pattern.compile(";\\s*([^=;]+?)\\s*=\\s*(?:\\{((?:[^}]|}})*)}|([^;]*))");

  private UrlProperties() {}

  /** The properties by name, ignoring case; a later one wins. */
  public static Map<String, String> parse(String text) {
    Map<String, String> properties = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    Matcher property = PROPERTY.matcher(text);
    while (property.find()) {
      String quoted = property.group(2);
      properties.put(
          property.group(1),
          quoted == null ? property.group(3).strip() : quoted.replace("}}", "}"));
    }
    return properties;
  }
}
