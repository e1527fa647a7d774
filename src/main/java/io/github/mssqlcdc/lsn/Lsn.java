package io.github.mssqlcdc.lsn;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.io.Serializable;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A log sequence number of SQL Server: an unsigned 80-bit big-endian number, ordered as {@code
 * binary(10)} is. LSN order is commit order.
 *
 * <p>Written as {@code 0x} and 20 upper-case hex digits, so that text order is LSN order too.
 *
 * @param high the first eight bytes, read as an unsigned number
 * @param low the last two bytes, 0 to 65535
 */
public record Lsn(long high, int low) implements Comparable<Lsn>, Serializable {
  public static final Lsn ZERO = new Lsn(0, 0);

  private static final int LENGTH = 10;
  private static final int HEX_DIGITS = 2 * LENGTH;
  private static final int LOW_MAX = 0xFFFF;
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  public Lsn {
    if (low < 0 || low > LOW_MAX) {
      throw invalid(high + "/" + low);
    }
  }

  /**
   * Reads a {@code binary(10)} value.
   *
   * @throws InvalidRequestException if it isn't ten bytes long
   */
  public static Lsn of(byte[] bytes) {
    if (bytes.length != LENGTH) {
      throw invalid(HEX.formatHex(bytes));
    }
    long high = 0;
    for (int i = 0; i < 8; i++) {
      high = high << 8 | (bytes[i] & 0xFF);
    }
    return new Lsn(high, (bytes[8] & 0xFF) << 8 | (bytes[9] & 0xFF));
  }

  /**
   * Reads hex text: with or without {@code 0x}, in either case, blanks around it allowed, padded
   * with zeros on the left when short.
   *
   * @throws InvalidRequestException if it isn't hex, or is longer than ten bytes
   */
  public static Lsn parse(String text) {
    String digits = text.strip();
    if (digits.regionMatches(true, 0, "0x", 0, 2)) {
      digits = digits.substring(2);
    }
    if (digits.isEmpty() || digits.length() > HEX_DIGITS) {
      throw invalid(text);
    }
    for (int i = 0; i < digits.length(); i++) {
      if (!HexFormat.isHexDigit(digits.charAt(i))) {
        throw invalid(text);
      }
    }
    String padded = "0".repeat(HEX_DIGITS - digits.length()) + digits.toUpperCase(Locale.ROOT);
    return of(HEX.parseHex(padded));
  }

  /**
   * Reads an unsigned number.
   *
   * @throws InvalidRequestException if it is negative or 2^80 or above
   */
  public static Lsn of(BigInteger number) {
    if (number.signum() < 0 || number.bitLength() > 8 * LENGTH) {
      throw invalid(number.toString());
    }
    return new Lsn(number.shiftRight(16).longValue(), number.intValue() & LOW_MAX);
  }

  /** The LSN right after this one, with nothing in between; the highest LSN is its own next. */
  public Lsn next() {
    if (low < LOW_MAX) {
      return new Lsn(high, low + 1);
    }
    return high == -1L ? this : new Lsn(high + 1, 0);
  }

  /** The LSN right before this one, with nothing in between; zero is its own previous. */
  public Lsn previous() {
    if (low > 0) {
      return new Lsn(high, low - 1);
    }
    return high == 0 ? this : new Lsn(high - 1, LOW_MAX);
  }

  public boolean isZero() {
    return high == 0 && low == 0;
  }

  public boolean isAfter(Lsn other) {
    return compareTo(other) > 0;
  }

  public boolean isBefore(Lsn other) {
    return compareTo(other) < 0;
  }

  public static Lsn max(Lsn a, Lsn b) {
    return a.isBefore(b) ? b : a;
  }

  /** The value as {@code binary(10)}; a new array each time. */
  public byte[] bytes() {
    byte[] bytes = new byte[LENGTH];
    for (int i = 0; i < 8; i++) {
      bytes[i] = (byte) (high >>> (56 - 8 * i));
    }
    bytes[8] = (byte) (low >>> 8);
    bytes[9] = (byte) low;
    return bytes;
  }

  @Override
  public int compareTo(Lsn other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Integer.compare(low, other.low);
  }

  /** The canonical text, for example {@code 0x0000002C000005F00003}. */
  @Override
  public String toString() {
    return "0x" + HEX.formatHex(bytes());
  }

  private static InvalidRequestException invalid(String value) {
    return new InvalidRequestException(
        ErrorCode.INVALID_LSN,
        "Invalid LSN '"
            + value
            + "': expected 0x and up to 20 hex digits, for example 0x0000002C000005F00003");
  }
}
