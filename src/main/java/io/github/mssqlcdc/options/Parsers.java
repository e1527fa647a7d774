package io.github.mssqlcdc.options;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Readers of option texts. Each throws {@link IllegalArgumentException} or {@link
 * java.time.DateTimeException} or {@link ArithmeticException} on a text that isn't allowed; the
 * caller words the message.
 */
final class Parsers {
  static final String BOOLEAN_WORDS = "true, 1, yes, y or false, 0, no, n";

  private static final String URL_PREFIX = "jdbc:sqlserver:";
  private static final Duration MAX_TIMEOUT = Duration.ofSeconds(65_535);
  private static final Pattern AMOUNT = Pattern.compile("(\\d{1,15})\\s*([a-z]*)");
  private static final Map<String, Duration> UNITS =
      Map.ofEntries(
          Map.entry("ms", Duration.ofMillis(1)),
          Map.entry("s", Duration.ofSeconds(1)),
          Map.entry("sec", Duration.ofSeconds(1)),
          Map.entry("second", Duration.ofSeconds(1)),
          Map.entry("m", Duration.ofMinutes(1)),
          Map.entry("min", Duration.ofMinutes(1)),
          Map.entry("minute", Duration.ofMinutes(1)),
          Map.entry("h", Duration.ofHours(1)),
          Map.entry("hour", Duration.ofHours(1)),
          Map.entry("d", Duration.ofDays(1)),
          Map.entry("day", Duration.ofDays(1)));

  private Parsers() {}

  static @Nullable String text(String text) {
    return text.isBlank() ? null : text.strip();
  }

  static @Nullable String url(String text) {
    String url = text(text);
    check(url == null || url.regionMatches(true, 0, URL_PREFIX, 0, URL_PREFIX.length()));
    return url;
  }

  static int positiveInt(String text) {
    int number = Integer.parseInt(text.strip());
    check(number > 0);
    return number;
  }

  /** Rows of a column batch: its vectors are allocated for that many. */
  static int batchRows(String text) {
    int number = positiveInt(text);
    check(number <= 1_000_000);
    return number;
  }

  /** Ranges, and connections with them. */
  static @Nullable Integer autoOrPartitions(String text) {
    if (text.strip().equalsIgnoreCase("auto")) {
      return null;
    }
    int number = positiveInt(text);
    check(number <= 10_000);
    return number;
  }

  /** A cap; blank text means none. */
  static @Nullable Long cap(String text) {
    if (text.isBlank()) {
      return null;
    }
    long number = Long.parseLong(text.strip());
    check(number > 0);
    return number;
  }

  static boolean bool(String text) {
    return switch (lower(text)) {
      case "true", "1", "yes", "y" -> true;
      case "false", "0", "no", "n" -> false;
      default -> throw new IllegalArgumentException();
    };
  }

  static Isolation isolation(String text) {
    return switch (lower(text)) {
      case "readcommitted" -> Isolation.READ_COMMITTED;
      case "snapshot" -> Isolation.SNAPSHOT;
      default -> throw new IllegalArgumentException();
    };
  }

  static SchemaChangePolicy schemaChangePolicy(String text) {
    return switch (lower(text)) {
      case "classify" -> SchemaChangePolicy.CLASSIFY;
      case "fail" -> SchemaChangePolicy.FAIL;
      default -> throw new IllegalArgumentException();
    };
  }

  static Start start(String text) {
    return switch (lower(text)) {
      case "earliest" -> new Start.Earliest();
      case "latest" -> new Start.Latest();
      default -> new Start.After(Offset.of(Lsn.parse(text)));
    };
  }

  static Instant instant(String text) {
    return OffsetDateTime.parse(text.strip()).toInstant();
  }

  /** A duration with a unit, or ISO-8601; not negative. */
  static Duration duration(String text) {
    return duration(text, null);
  }

  /** As {@link #duration(String)}; a bare integer counts milliseconds. */
  static Duration millis(String text) {
    Duration duration = duration(text, Duration.ofMillis(1));
    check(duration.toMillis() <= Integer.MAX_VALUE);
    return duration;
  }

  /** Above zero, within the driver's limit; a bare integer counts seconds. */
  static Duration timeout(String text) {
    Duration duration = duration(text, Duration.ofSeconds(1));
    check(!duration.isZero() && duration.compareTo(MAX_TIMEOUT) <= 0);
    return duration;
  }

  private static Duration duration(String text, @Nullable Duration bareUnit) {
    String lower = lower(text);
    if (lower.startsWith("p")) {
      Duration duration = Duration.parse(lower);
      check(!duration.isNegative());
      return duration;
    }
    Matcher amount = AMOUNT.matcher(lower);
    check(amount.matches());
    Duration unit = amount.group(2).isEmpty() ? bareUnit : unit(amount.group(2));
    if (unit == null) {
      throw new IllegalArgumentException();
    }
    return unit.multipliedBy(Long.parseLong(amount.group(1)));
  }

  private static @Nullable Duration unit(String name) {
    Duration unit = UNITS.get(name);
    boolean plural = unit == null && name.length() > 3 && name.endsWith("s");
    return plural ? UNITS.get(name.substring(0, name.length() - 1)) : unit;
  }

  private static String lower(String text) {
    return text.strip().toLowerCase(Locale.ROOT);
  }

  private static void check(boolean allowed) {
    if (!allowed) {
      throw new IllegalArgumentException();
    }
  }
}
