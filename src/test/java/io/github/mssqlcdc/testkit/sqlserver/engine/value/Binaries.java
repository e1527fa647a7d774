package io.github.mssqlcdc.testkit.sqlserver.engine.value;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;

/** Conversions to and from binary. */
final class Binaries {
  private static final Charset CODE_PAGE = Charset.forName("windows-1252");

  private Binaries() {}

  static byte[] convert(Object value, DataType from, DataType to, int style) throws SqlServerError {
    if (value instanceof byte[] bytes) {
      return fit(bytes, to, false);
    }
    if (value instanceof String text) {
      byte[] bytes = style == 0 ? text.getBytes(charset(from)) : parse(text, style);
      return fit(bytes, to, false);
    }
    if (value instanceof Integer || value instanceof Long) {
      return fit(ofInteger(((Number) value).longValue(), from), to, true);
    }
    if (value instanceof Boolean bit) {
      return fit(new byte[] {(byte) (bit ? 1 : 0)}, to, true);
    }
    if (value instanceof UUID uuid) {
      return fit(ofUuid(uuid), to, false);
    }
    throw Errors.clash(Types.baseName(from), Types.baseName(to));
  }

  /** Cut to the length; binary(n) filled with zeros, before a number, after anything else. */
  private static byte[] fit(byte[] bytes, DataType to, boolean number) {
    int length = to.name() == SqlTypeName.ROWVERSION ? 8 : to.length();
    boolean fixed = to.name() == SqlTypeName.BINARY || to.name() == SqlTypeName.ROWVERSION;
    if (length <= 0 || bytes.length == length || (bytes.length < length && !fixed)) {
      return bytes;
    }
    if (!number) {
      return Arrays.copyOf(bytes, length);
    }
    byte[] fitted = new byte[length];
    int count = Math.min(length, bytes.length);
    System.arraycopy(bytes, bytes.length - count, fitted, length - count, count);
    return fitted;
  }

  private static byte[] ofInteger(long value, DataType from) {
    byte[] bytes = ByteBuffer.allocate(8).putLong(value).array();
    return Arrays.copyOfRange(bytes, 8 - width(from), 8);
  }

  private static int width(DataType type) {
    return switch (type.name()) {
      case TINYINT -> 1;
      case SMALLINT -> 2;
      case INT -> 4;
      default -> 8;
    };
  }

  static long toLong(byte[] bytes, DataType to) {
    int width = width(to);
    byte[] padded = new byte[8];
    int count = Math.min(width, bytes.length);
    System.arraycopy(bytes, bytes.length - count, padded, 8 - count, count);
    long value = ByteBuffer.wrap(padded).getLong();
    return switch (to.name()) {
      case SMALLINT -> (short) value;
      case INT -> (int) value;
      default -> value;
    };
  }

  private static byte[] parse(String text, int style) throws SqlServerError {
    String digits = text;
    if (style == 1) {
      if (!text.startsWith("0x") && !text.startsWith("0X")) {
        throw Errors.noConversion("varchar", "varbinary");
      }
      digits = text.substring(2);
    }
    try {
      return HexFormat.of().parseHex(digits);
    } catch (IllegalArgumentException e) {
      throw Errors.noConversion("varchar", "varbinary");
    }
  }

  static String text(byte[] bytes, DataType to, int style) {
    return switch (style) {
      case 1 -> "0x" + HexFormat.of().withUpperCase().formatHex(bytes);
      case 2 -> HexFormat.of().withUpperCase().formatHex(bytes);
      default -> new String(bytes, charset(to));
    };
  }

  /** Code page of the database's default collation, or UTF-16. */
  static Charset charset(DataType type) {
    return Types.isUnicode(type) ? StandardCharsets.UTF_16LE : CODE_PAGE;
  }

  /** The first three groups are little-endian on SQL Server. */
  static byte[] ofUuid(UUID uuid) {
    long high = uuid.getMostSignificantBits();
    ByteBuffer buffer = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt((int) (high >>> 32)).putShort((short) (high >>> 16)).putShort((short) high);
    return buffer.order(ByteOrder.BIG_ENDIAN).putLong(uuid.getLeastSignificantBits()).array();
  }

  static UUID toUuid(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(Arrays.copyOf(bytes, 16)).order(ByteOrder.LITTLE_ENDIAN);
    long high = (buffer.getInt() & 0xFFFFFFFFL) << 32;
    high |= (buffer.getShort() & 0xFFFFL) << 16;
    high |= buffer.getShort() & 0xFFFFL;
    return new UUID(high, buffer.order(ByteOrder.BIG_ENDIAN).getLong());
  }
}
