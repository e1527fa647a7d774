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
  /** Driver properties that an option of ours already sets, and which one. */
  private static final Map<String, ConfigOption<?>> TAKEN =
      ignoringCase(
          Map.of(
              "user", Options.USER,
              "username", Options.USER,
              "password", Options.PASSWORD,
              "loginTimeout", Options.LOGIN_TIMEOUT,
              "queryTimeout", Options.QUERY_TIMEOUT,
              "lockTimeout", Options.LOCK_TIMEOUT));

  private final Map<String, String> values;

  private OptionValues(Map<String, String> values) {
    this.values = values;
  }

  /**
   * @throws InvalidRequestException if a name stands there twice, in different case and with
   *     different values
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
    return new OptionValues(values);
  }

  boolean has(ConfigOption<?> option) {
    return values.containsKey(option.name());
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
      String shown = option == Options.URL ? "" : " '" + text + "'";
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

  /**
   * Driver properties without their prefix.
   *
   * @throws InvalidRequestException if an option of ours already sets one of them
   */
  Map<String, String> driverProperties() {
    Map<String, String> properties = new TreeMap<>();
    int prefix = Options.DRIVER_PREFIX.length();
    values.forEach(
        (name, value) -> {
          if (!name.regionMatches(true, 0, Options.DRIVER_PREFIX, 0, prefix)) {
            return;
          }
          ConfigOption<?> option = TAKEN.get(name.substring(prefix));
          if (option != null) {
            throw invalid(
                "Invalid option '"
                    + name
                    + "': set option '"
                    + option.name()
                    + "' instead, which"
                    + " sets this driver property");
          }
          properties.put(name.substring(prefix), value);
        });
    return Collections.unmodifiableMap(properties);
  }

  private static <T> Map<String, T> ignoringCase(Map<String, T> map) {
    Map<String, T> result = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    result.putAll(map);
    return Collections.unmodifiableMap(result);
  }

  static InvalidRequestException invalid(String message) {
    return new InvalidRequestException(ErrorCode.INVALID_OPTION, message);
  }
}
