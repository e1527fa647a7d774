package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Collation;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * TYPE_INFO of a parameter, and how its value is read.
 *
 * @param width bytes of a fixed type's value; 0 if a length stands before it
 * @param charset of char and varchar
 */
record ParameterType(int token, DataType dataType, int width, Charset charset) {
  private static final int NULL_LENGTH = 0xFFFF;

  /**
   * @throws SqlServerError 8009, as a server answers to a type it doesn't know
   */
  static ParameterType read(WireReader in) throws SqlServerError {
    int token = in.u8();
    return switch (token) {
      case TypeToken.NULL -> fixed(token, SqlTypeName.INT, 0);
      case TypeToken.INT1 -> fixed(token, SqlTypeName.TINYINT, 1);
      case TypeToken.BIT -> fixed(token, SqlTypeName.BIT, 1);
      case TypeToken.INT2 -> fixed(token, SqlTypeName.SMALLINT, 2);
      case TypeToken.INT4 -> fixed(token, SqlTypeName.INT, 4);
      case TypeToken.INT8 -> fixed(token, SqlTypeName.BIGINT, 8);
      case TypeToken.FLOAT4 -> fixed(token, SqlTypeName.REAL, 4);
      case TypeToken.FLOAT8 -> fixed(token, SqlTypeName.FLOAT, 8);
      case TypeToken.MONEY -> fixed(token, SqlTypeName.MONEY, 8);
      case TypeToken.MONEY4 -> fixed(token, SqlTypeName.SMALLMONEY, 4);
      case TypeToken.DATETIME -> fixed(token, SqlTypeName.DATETIME, 8);
      case TypeToken.DATETIME4 -> fixed(token, SqlTypeName.SMALLDATETIME, 4);
      case TypeToken.INT_N -> variable(token, integer(in.u8()));
      case TypeToken.BIT_N -> variable(token, one(in, SqlTypeName.BIT, SqlTypeName.BIT));
      case TypeToken.FLOAT_N -> variable(token, one(in, SqlTypeName.REAL, SqlTypeName.FLOAT));
      case TypeToken.MONEY_N -> variable(token, one(in, SqlTypeName.SMALLMONEY, SqlTypeName.MONEY));
      case TypeToken.DATETIME_N ->
          variable(token, one(in, SqlTypeName.SMALLDATETIME, SqlTypeName.DATETIME));
      case TypeToken.GUID ->
          variable(token, one(in, SqlTypeName.UNIQUEIDENTIFIER, SqlTypeName.UNIQUEIDENTIFIER));
      case TypeToken.DECIMAL_N -> decimal(in, token, SqlTypeName.DECIMAL);
      case TypeToken.NUMERIC_N -> decimal(in, token, SqlTypeName.NUMERIC);
      case TypeToken.DATE_N -> variable(token, DataType.of(SqlTypeName.DATE));
      case TypeToken.TIME_N -> variable(token, scaled(SqlTypeName.TIME, in.u8()));
      case TypeToken.DATETIME2_N -> variable(token, scaled(SqlTypeName.DATETIME2, in.u8()));
      case TypeToken.DATETIMEOFFSET_N ->
          variable(token, scaled(SqlTypeName.DATETIMEOFFSET, in.u8()));
      case TypeToken.BIG_BINARY -> binary(in, token, SqlTypeName.BINARY);
      case TypeToken.BIG_VARBINARY -> binary(in, token, SqlTypeName.VARBINARY);
      case TypeToken.BIG_CHAR -> character(in, token, SqlTypeName.CHAR);
      case TypeToken.BIG_VARCHAR -> character(in, token, SqlTypeName.VARCHAR);
      case TypeToken.NCHAR -> character(in, token, SqlTypeName.NCHAR);
      case TypeToken.NVARCHAR -> character(in, token, SqlTypeName.NVARCHAR);
      case TypeToken.XML -> xml(in, token);
      default ->
          throw new SqlServerError(
              8009,
              16,
              1,
              "The incoming tabular data stream (TDS) remote procedure call (RPC) protocol stream"
                  + " is incorrect. Unknown parameter type 0x"
                  + Integer.toHexString(token));
    };
  }

  /** Null for NULL; else of the type's value class. */
  @Nullable Object readValue(WireReader in) {
    return switch (dataType.name()) {
      case BINARY, VARBINARY -> readBytes(in);
      case CHAR, VARCHAR -> text(readBytes(in), charset);
      case NCHAR, NVARCHAR, XML -> text(readBytes(in), StandardCharsets.UTF_16LE);
      default -> {
        int length = width > 0 || token == TypeToken.NULL ? width : in.u8();
        yield length == 0 ? null : readShort(in, length);
      }
    };
  }

  private Object readShort(WireReader in, int length) {
    return switch (dataType.name()) {
      case BIT -> in.u8() != 0;
      case TINYINT -> in.u8();
      case SMALLINT -> (int) (short) in.u16();
      case INT -> in.i32();
      case BIGINT -> in.i64();
      case REAL -> Float.intBitsToFloat(in.i32());
      case FLOAT -> Double.longBitsToDouble(in.i64());
      case SMALLMONEY -> BigDecimal.valueOf(in.i32(), 4);
      case MONEY -> BigDecimal.valueOf((long) in.i32() << 32 | in.unsigned(4), 4);
      case DECIMAL, NUMERIC -> readDecimal(in, length);
      case DATE -> Dates.readDate(in);
      case TIME -> Dates.readTime(in, dataType.scale());
      case DATETIME -> Dates.readDatetime(in);
      case SMALLDATETIME -> Dates.readSmalldatetime(in);
      case DATETIME2 -> readDatetime2(in);
      case DATETIMEOFFSET -> {
        LocalDateTime utc = readDatetime2(in);
        ZoneOffset offset = ZoneOffset.ofTotalSeconds((short) in.u16() * 60);
        yield utc.atOffset(ZoneOffset.UTC).withOffsetSameInstant(offset);
      }
      case UNIQUEIDENTIFIER -> GuidEncoder.read(in);
      default -> throw new IllegalStateException("Unknown parameter type " + dataType);
    };
  }

  private LocalDateTime readDatetime2(WireReader in) {
    LocalTime time = Dates.readTime(in, dataType.scale());
    LocalDate date = Dates.readDate(in);
    return date.atTime(time);
  }

  private BigDecimal readDecimal(WireReader in, int length) {
    int sign = in.u8() == 0 ? -1 : 1;
    byte[] magnitude = in.bytes(length - 1);
    for (int i = 0; i < magnitude.length / 2; i++) {
      byte low = magnitude[i];
      magnitude[i] = magnitude[magnitude.length - 1 - i];
      magnitude[magnitude.length - 1 - i] = low;
    }
    BigInteger unscaled = new BigInteger(1, magnitude);
    return new BigDecimal(sign < 0 ? unscaled.negate() : unscaled, dataType.scale());
  }

  private byte @Nullable [] readBytes(WireReader in) {
    if (dataType.length() == DataType.MAX) {
      return Plp.read(in);
    }
    int length = in.u16();
    return length == NULL_LENGTH ? null : in.bytes(length);
  }

  /** Unit by unit for UTF-16, since Java's own decoder replaces lone surrogates. */
  private static @Nullable String text(byte @Nullable [] bytes, Charset charset) {
    if (bytes == null) {
      return null;
    }
    return charset.equals(StandardCharsets.UTF_16LE)
        ? new WireReader(bytes).utf16(bytes.length / 2)
        : new String(bytes, charset);
  }

  private static ParameterType fixed(int token, SqlTypeName name, int width) {
    return new ParameterType(token, DataType.of(name), width, StandardCharsets.UTF_16LE);
  }

  private static ParameterType variable(int token, DataType type) {
    return new ParameterType(token, type, 0, StandardCharsets.UTF_16LE);
  }

  private static DataType integer(int width) {
    return DataType.of(
        switch (width) {
          case 1 -> SqlTypeName.TINYINT;
          case 2 -> SqlTypeName.SMALLINT;
          case 4 -> SqlTypeName.INT;
          default -> SqlTypeName.BIGINT;
        });
  }

  private static DataType one(WireReader in, SqlTypeName narrow, SqlTypeName wide) {
    return DataType.of(in.u8() <= 4 ? narrow : wide);
  }

  private static DataType scaled(SqlTypeName name, int scale) {
    return new DataType(name, 0, 0, scale, null);
  }

  private static ParameterType decimal(WireReader in, int token, SqlTypeName name) {
    in.u8();
    int precision = in.u8();
    return variable(token, new DataType(name, 0, precision, in.u8(), null));
  }

  private static ParameterType binary(WireReader in, int token, SqlTypeName name) {
    int length = in.u16();
    return variable(token, DataType.of(name, length == Plp.MAX_LENGTH ? DataType.MAX : length));
  }

  private static ParameterType character(WireReader in, int token, SqlTypeName name) {
    int length = in.u16();
    int info = in.i32();
    Charset charset = Collation.charset(info, in.u8());
    boolean unicode = name == SqlTypeName.NCHAR || name == SqlTypeName.NVARCHAR;
    int characters = length == Plp.MAX_LENGTH ? DataType.MAX : unicode ? length / 2 : length;
    return new ParameterType(token, DataType.of(name, characters), 0, charset);
  }

  private static ParameterType xml(WireReader in, int token) throws SqlServerError {
    if (in.u8() != 0) {
      throw new SqlServerError(
          50000, 16, 1, "Unsupported by the stand-in: XML schema collection of a parameter");
    }
    return variable(token, DataType.of(SqlTypeName.XML, DataType.MAX));
  }
}
