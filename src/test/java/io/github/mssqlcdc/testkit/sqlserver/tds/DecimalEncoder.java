package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** decimal and numeric: sign byte, then the unscaled magnitude, filled up to a width. */
record DecimalEncoder(DataType type) implements ColumnEncoder {

  @Override
  public void writeType(PacketWriter out) {
    out.u8(type.name() == SqlTypeName.DECIMAL ? TypeToken.DECIMAL_N : TypeToken.NUMERIC_N);
    out.u8(width());
    out.u8(type.precision());
    out.u8(type.scale());
  }

  @Override
  public void writeNull(PacketWriter out) {
    out.u8(0);
  }

  @Override
  public void write(PacketWriter out, Object value) {
    BigDecimal exact = ((BigDecimal) value).setScale(type.scale(), RoundingMode.UNNECESSARY);
    if (exact.precision() > type.precision()) {
      throw new IllegalStateException("Cannot send " + value + " as " + type);
    }
    BigInteger unscaled = exact.unscaledValue();
    out.u8(width());
    out.u8(unscaled.signum() < 0 ? 0 : 1);
    byte[] magnitude = unscaled.abs().toByteArray();
    for (int i = 0; i < width() - 1; i++) {
      int index = magnitude.length - 1 - i;
      out.u8(index < 0 ? 0 : magnitude[index]);
    }
  }

  private int width() {
    int precision = type.precision();
    return precision <= 9 ? 5 : precision <= 19 ? 9 : precision <= 28 ? 13 : 17;
  }
}
