package io.github.mssqlcdc.testkit.sqlserver.replay;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes values, the same ones for the same place.
 *
 * @param width of the longest text or binary
 */
record Cells(int width, int nullPercent) {
  private static final int LETTERS = 26;
  private static final int DAYS = 20_000;
  private static final int WIDTHS = 4;

  @Nullable Object value(DataType type, int row, int column) {
    Random random = new Random(31L * row + column);
    if (random.nextInt(100) < nullPercent) {
      return null;
    }
    return switch (type.name()) {
      case BIT -> random.nextBoolean();
      case TINYINT -> random.nextInt(256);
      case SMALLINT -> random.nextInt(Short.MAX_VALUE);
      case INT -> random.nextInt();
      case BIGINT -> random.nextLong();
      case REAL -> random.nextFloat();
      case FLOAT -> random.nextDouble();
      case DECIMAL, NUMERIC ->
          new BigDecimal(
              BigInteger.valueOf(random.nextLong()).mod(BigInteger.TEN.pow(type.precision())),
              type.scale());
      case MONEY, SMALLMONEY -> BigDecimal.valueOf(random.nextInt(), 4);
      case DATE -> date(random);
      case TIME -> time(random);
      case DATETIME, SMALLDATETIME -> date(random).atStartOfDay().plusMinutes(random.nextInt(1440));
      case DATETIME2 -> LocalDateTime.of(date(random), time(random));
      case DATETIMEOFFSET -> LocalDateTime.of(date(random), time(random)).atOffset(ZoneOffset.UTC);
      case CHAR, NCHAR -> text(random, type.length());
      case VARCHAR, NVARCHAR, TEXT, NTEXT, XML -> text(random, length(type, row));
      case BINARY, ROWVERSION -> bytes(random, Math.max(type.length(), 8));
      case VARBINARY, IMAGE -> bytes(random, length(type, row));
      case UNIQUEIDENTIFIER -> new UUID(random.nextLong(), random.nextLong());
    };
  }

  private int length(DataType type, int row) {
    int longest = type.length() > 0 ? Math.min(type.length(), width) : width;
    int quarters = WIDTHS - row % WIDTHS;
    return (int) ((long) longest * quarters / WIDTHS);
  }

  private static LocalDate date(Random random) {
    return LocalDate.EPOCH.plusDays(random.nextInt(DAYS));
  }

  private static LocalTime time(Random random) {
    return LocalTime.ofNanoOfDay(100L * random.nextInt(Integer.MAX_VALUE));
  }

  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append((char) ('a' + random.nextInt(LETTERS)));
    }
    return text.toString();
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
