package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Collation;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;

/** text, ntext and image: a pointer and a timestamp stand before each value. */
final class LegacyLobEncoder implements ColumnEncoder {
  private static final byte[] POINTER = new byte[16];
  private static final byte[] TIMESTAMP = new byte[8];

  private final SqlTypeName type;
  private final Collation collation;

  LegacyLobEncoder(DataType type) {
    this.type = type.name();
    this.collation = Collation.named(type.collation());
  }

  @Override
  public void writeType(PacketWriter out) {
    switch (type) {
      case TEXT -> out.u8(TypeToken.TEXT);
      case NTEXT -> out.u8(TypeToken.NTEXT);
      default -> out.u8(TypeToken.IMAGE);
    }
    out.i32(Integer.MAX_VALUE);
    if (type != SqlTypeName.IMAGE) {
      out.collation(collation);
    }
    // the table's name in one part; clients skip it
    out.u8(1);
    out.longText("t");
  }

  @Override
  public void writeNull(PacketWriter out) {
    out.u8(0);
  }

  @Override
  public void write(PacketWriter out, Object value) {
    out.u8(POINTER.length);
    out.bytes(POINTER);
    out.bytes(TIMESTAMP);
    if (type == SqlTypeName.NTEXT) {
      String text = (String) value;
      out.i32(Character.BYTES * text.length());
      out.utf16(text);
      return;
    }
    byte[] bytes =
        type == SqlTypeName.TEXT ? ((String) value).getBytes(collation.charset()) : (byte[]) value;
    out.i32(bytes.length);
    out.bytes(bytes);
  }
}
