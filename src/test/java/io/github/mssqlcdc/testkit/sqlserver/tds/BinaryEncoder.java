package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;

/** binary, varbinary and rowversion, with a two-byte length or (max). */
record BinaryEncoder(DataType type) implements ColumnEncoder {
  private static final int LARGEST = 8000;
  private static final int NULL_LENGTH = 0xFFFF;
  private static final int ROWVERSION_BYTES = 8;
  private static final int TIMESTAMP_USER_TYPE = 80;

  @Override
  public int userType() {
    return type.name() == SqlTypeName.ROWVERSION ? TIMESTAMP_USER_TYPE : 0;
  }

  @Override
  public void writeType(PacketWriter out) {
    out.u8(type.name() == SqlTypeName.VARBINARY ? TypeToken.BIG_VARBINARY : TypeToken.BIG_BINARY);
    out.u16(max() ? Plp.MAX_LENGTH : declaredLength());
  }

  @Override
  public void writeNull(PacketWriter out) {
    if (max()) {
      Plp.writeNull(out);
    } else {
      out.u16(NULL_LENGTH);
    }
  }

  @Override
  public void write(PacketWriter out, Object value) {
    byte[] bytes = (byte[]) value;
    if (max()) {
      Plp.start(out, bytes.length);
      out.bytes(bytes);
      Plp.end(out);
    } else if (bytes.length <= LARGEST) {
      out.u16(bytes.length);
      out.bytes(bytes);
    } else {
      throw new IllegalStateException("Cannot send " + bytes.length + " bytes as " + type);
    }
  }

  private boolean max() {
    return type.length() == DataType.MAX;
  }

  private int declaredLength() {
    if (type.name() == SqlTypeName.ROWVERSION) {
      return ROWVERSION_BYTES;
    }
    return type.length() == 0 ? LARGEST : type.length();
  }
}
