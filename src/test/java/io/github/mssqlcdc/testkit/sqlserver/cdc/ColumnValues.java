package io.github.mssqlcdc.testkit.sqlserver.cdc;

import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.sql.Clob;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Values on their way between log, storage and result sets. */
final class ColumnValues {
  private static final long NANOS_PER_TICK_TIMES_THREE = 10_000_000L;

  private ColumnValues() {}

  /** Rounds to the type {@code datetime}: 1/300 s, shown as .xx0, .xx3, .xx7. */
  static LocalDateTime datetime(LocalDateTime time) {
    LocalDateTime second = time.truncatedTo(ChronoUnit.SECONDS);
    long ticks = Math.round(time.getNano() * 3.0 / NANOS_PER_TICK_TIMES_THREE);
    long millis = Math.round(ticks * 10.0 / 3.0);
    return second.plus(millis, ChronoUnit.MILLIS);
  }

  static boolean same(@Nullable Object left, @Nullable Object right) {
    if (left instanceof BigDecimal a && right instanceof BigDecimal b) {
      return a.compareTo(b) == 0;
    }
    return Objects.deepEquals(left, right);
  }

  static @Nullable LocalDateTime time(@Nullable Object stored) {
    return stored instanceof Timestamp timestamp
        ? timestamp.toLocalDateTime()
        : (LocalDateTime) stored;
  }

  static @Nullable String text(@Nullable Object stored) {
    if (!(stored instanceof Clob clob)) {
      return (String) stored;
    }
    try (Reader reader = clob.getCharacterStream()) {
      StringWriter text = new StringWriter();
      reader.transferTo(text);
      return text.toString();
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to read a stored text", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
