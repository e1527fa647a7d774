package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.math.BigDecimal;
import java.time.LocalDateTime;

/**
 * The types of one to eight bytes that have a fixed form and a nullable one with a length byte.
 *
 * @param token of the form in use
 * @param fixed whether there is no length byte
 */
record NumberEncoder(SqlTypeName type, int token, int width, boolean fixed)
    implements ColumnEncoder {

  static NumberEncoder fixed(SqlTypeName type) {
    return new NumberEncoder(type, fixedToken(type), width(type), /* fixed= */ true);
  }

  static NumberEncoder nullable(SqlTypeName type) {
    return new NumberEncoder(type, nullableToken(type), width(type), /* fixed= */ false);
  }

  @Override
  public void writeType(PacketWriter out) {
    out.u8(token);
    if (!fixed) {
      out.u8(width);
    }
  }

  @Override
  public void writeNull(PacketWriter out) {
    if (fixed) {
      throw new IllegalStateException("Cannot send NULL in a NOT NULL column of type " + type);
    }
    out.u8(0);
  }

  @Override
  public void write(PacketWriter out, Object value) {
    if (!fixed) {
      out.u8(width);
    }
    switch (type) {
      case BIT -> out.u8((Boolean) value ? 1 : 0);
      case TINYINT, SMALLINT, INT -> out.lowBytes((Integer) value, width);
      case BIGINT -> out.i64((Long) value);
      case REAL -> out.i32(Float.floatToIntBits((Float) value));
      case FLOAT -> out.i64(Double.doubleToLongBits((Double) value));
      case SMALLMONEY -> out.i32(Math.toIntExact(tenThousandths(value)));
      case MONEY -> {
        long amount = tenThousandths(value);
        out.i32((int) (amount >> 32));
        out.i32((int) amount);
      }
      case DATETIME -> Dates.writeDatetime(out, (LocalDateTime) value);
      case SMALLDATETIME -> Dates.writeSmalldatetime(out, (LocalDateTime) value);
      default -> throw new IllegalStateException("Unknown number type " + type);
    }
  }

  private static long tenThousandths(Object value) {
    return ((BigDecimal) value).movePointRight(4).longValueExact();
  }

  private static int width(SqlTypeName type) {
    return switch (type) {
      case BIT, TINYINT -> 1;
      case SMALLINT -> 2;
      case INT, REAL, SMALLMONEY, SMALLDATETIME -> 4;
      default -> 8;
    };
  }

  private static int fixedToken(SqlTypeName type) {
    return switch (type) {
      case BIT -> TypeToken.BIT;
      case TINYINT -> TypeToken.INT1;
      case SMALLINT -> TypeToken.INT2;
      case INT -> TypeToken.INT4;
      case BIGINT -> TypeToken.INT8;
      case REAL -> TypeToken.FLOAT4;
      case FLOAT -> TypeToken.FLOAT8;
      case MONEY -> TypeToken.MONEY;
      case SMALLMONEY -> TypeToken.MONEY4;
      case DATETIME -> TypeToken.DATETIME;
      case SMALLDATETIME -> TypeToken.DATETIME4;
      default -> throw new IllegalStateException("Unknown number type " + type);
    };
  }

  private static int nullableToken(SqlTypeName type) {
    return switch (type) {
      case BIT -> TypeToken.BIT_N;
      case TINYINT, SMALLINT, INT, BIGINT -> TypeToken.INT_N;
      case REAL, FLOAT -> TypeToken.FLOAT_N;
      case MONEY, SMALLMONEY -> TypeToken.MONEY_N;
      case DATETIME, SMALLDATETIME -> TypeToken.DATETIME_N;
      default -> throw new IllegalStateException("Unknown number type " + type);
    };
  }
}
