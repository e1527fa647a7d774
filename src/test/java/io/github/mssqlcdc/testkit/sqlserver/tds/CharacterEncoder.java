package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Collation;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;

/** char, varchar, nchar, nvarchar and xml, with a two-byte length or (max). */
final class CharacterEncoder implements ColumnEncoder {
  private static final int LARGEST = 8000;
  private static final int NULL_LENGTH = 0xFFFF;

  private final SqlTypeName type;
  private final int token;
  private final boolean unicode;
  private final boolean max;
  private final int maxBytes;
  private final Collation collation;

  CharacterEncoder(DataType type) {
    this.type = type.name();
    this.token =
        switch (type.name()) {
          case CHAR -> TypeToken.BIG_CHAR;
          case VARCHAR -> TypeToken.BIG_VARCHAR;
          case NCHAR -> TypeToken.NCHAR;
          case NVARCHAR -> TypeToken.NVARCHAR;
          default -> TypeToken.XML;
        };
    this.unicode = type.name() != SqlTypeName.CHAR && type.name() != SqlTypeName.VARCHAR;
    this.max = type.length() == DataType.MAX || type.name() == SqlTypeName.XML;
    this.maxBytes = type.length() == 0 ? LARGEST : type.length() * (unicode ? 2 : 1);
    this.collation = Collation.named(type.collation());
  }

  @Override
  public void writeType(PacketWriter out) {
    out.u8(token);
    if (type == SqlTypeName.XML) {
      out.u8(0); // no schema
      return;
    }
    out.u16(max ? Plp.MAX_LENGTH : Math.min(maxBytes, LARGEST));
    out.collation(collation);
  }

  @Override
  public void writeNull(PacketWriter out) {
    if (max) {
      Plp.writeNull(out);
    } else {
      out.u16(NULL_LENGTH);
    }
  }

  @Override
  public void write(PacketWriter out, Object value) {
    String text = (String) value;
    byte[] encoded = unicode ? new byte[0] : text.getBytes(collation.charset());
    long length = unicode ? 2L * text.length() : encoded.length;
    if (max) {
      Plp.start(out, length);
    } else if (length <= LARGEST) {
      out.u16((int) length);
    } else {
      throw new IllegalStateException("Cannot send " + length + " bytes as " + type);
    }
    if (unicode) {
      out.utf16(text);
    } else {
      out.bytes(encoded);
    }
    if (max) {
      Plp.end(out);
    }
  }
}
