package io.github.mssqlcdc.testkit.sqlserver.tds;

import java.util.UUID;

/** uniqueidentifier: the first three groups are little-endian, the rest big-endian. */
record GuidEncoder() implements ColumnEncoder {
  private static final int BYTES = 16;

  @Override
  public void writeType(PacketWriter out) {
    out.u8(TypeToken.GUID);
    out.u8(BYTES);
  }

  @Override
  public void writeNull(PacketWriter out) {
    out.u8(0);
  }

  @Override
  public void write(PacketWriter out, Object value) {
    UUID uuid = (UUID) value;
    long first = uuid.getMostSignificantBits();
    out.u8(BYTES);
    out.i32((int) (first >> 32));
    out.u16((int) (first >> 16));
    out.u16((int) first);
    out.i64(Long.reverseBytes(uuid.getLeastSignificantBits()));
  }

  static UUID read(WireReader in) {
    long first = (long) in.i32() << 32;
    first |= (long) in.u16() << 16;
    first |= in.u16();
    return new UUID(first, Long.reverseBytes(in.i64()));
  }
}
