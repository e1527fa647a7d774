package io.github.mssqlcdc.options;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.time.DateTimeException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The options of one call, found by name whatever its case. */
final class OptionValues {
  /** A value may be a list of any length. */
  private static final int MAX_SHOWN = 500;

  private final Map<String, String> values;

  private OptionValues(Map<String, String> values) {
    this.values = values;
  }

  /**
   * All options' values are checked, also those that only the other format takes: the formats may
   * share their options.
   *
   * @throws InvalidRequestException if a value isn't allowed, if a name stands there twice, in
   *     different case and with different values, or if a driver property contradicts an option
   */
  static OptionValues of(Map<String, String> options) {
    Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    options.forEach(
        (name, value) -> {
          String other = values.putIfAbsent(name, value);
          if (other != null && !other.equals(value)) {
            throw invalid("Invalid options: '" + name + "' is given twice, with different values");
          }
        });
    OptionValues result = new OptionValues(values);
    Options.ALL.forEach(result::find);
    DriverProperties.check(result.find(Options.URL), result.driverProperties(), result);
    return result;
  }

  boolean has(ConfigOption<?> option) {
    return values.containsKey(option.name());
  }

  /** The text given; null without one. */
  @Nullable String text(String option) {
    return values.get(option);
  }

  /**
   * The value given, or the option's own fallback; null without either.
   *
   * @throws InvalidRequestException if the value isn't allowed
   */
  <T> @Nullable T find(ConfigOption<T> option) {
    String text = values.getOrDefault(option.name(), option.fallback());
    if (text == null) {
      return null;
    }
    try {
      return option.parser().parse(text);
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      // a bad URL may hold a password
      String shown = option == Options.URL ? "" : " '" + shortened(text) + "'";
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Invalid value"
              + shown
              + " of option '"
              + option.name()
              + "': expected "
              + option.allowed(),
          e);
    }
  }

  private static String shortened(String text) {
    return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
  }

  /**
   * As {@link #find}, of an option that must be there or has a fallback.
   *
   * @throws InvalidRequestException if it is missing, or its value isn't allowed
   */
  <T> T require(ConfigOption<T> option) {
    T value = find(option);
    if (value == null) {
      throw invalid("Missing option '" + option.name() + "': set it to " + option.allowed());
    }
    return value;
  }

  /** Driver properties without their prefix. */
  Map<String, String> driverProperties() {
    Map<String, String> properties = new TreeMap<>();
    int prefix = Options.DRIVER_PREFIX.length();
    values.forEach(
        (name, value) -> {
          if (name.regionMatches(true, 0, Options.DRIVER_PREFIX, 0, prefix)) {
            properties.put(name.substring(prefix), value);
          }
        });
    return Collections.unmodifiableMap(properties);
  }

  static InvalidRequestException invalid(String message) {
    return new InvalidRequestException(ErrorCode.INVALID_OPTION, message);
  }
}
