package io.github.mssqlcdc.options;

import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * The length of the periods that a verdict closes; they begin with the minute, hour, day in UTC.
 */
public enum Granularity {
  MINUTE(ChronoUnit.MINUTES),
  HOUR(ChronoUnit.HOURS),
  DAY(ChronoUnit.DAYS);

  private final ChronoUnit unit;

  Granularity(ChronoUnit unit) {
    this.unit = unit;
  }

  /**
   * From its name, in any case.
   *
   * @throws io.github.mssqlcdc.error.InvalidRequestException if it is none
   */
  public static Granularity parse(String text) {
    for (Granularity one : values()) {
      if (one.name().equalsIgnoreCase(text.strip())) {
        return one;
      }
    }
    throw OptionValues.invalid(
        "Invalid granularity '" + text + "': minute, hour and day are allowed");
  }

  /** Where the period of a time begins. */
  public LocalDateTime floor(LocalDateTime utc) {
    return utc.truncatedTo(unit);
  }

  /** As it is written: {@code minute}, {@code hour}, {@code day}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
