package io.github.mssqlcdc.type;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Readers of binary values and of text made from such. */
final class BytesReaders {
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(UTF_8);

  /** Bytes of a uniqueidentifier in the order of its text: its first three groups are reversed. */
  private static final int[] GUID_ORDER = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};

  private static final int GUID_LENGTH = 36;

  private BytesReaders() {}

  static ColumnReader binary() {
    return (row, column, sink) -> {
      byte[] value = row.getBytes(column);
      if (value == null) {
        return ColumnReader.ABSENT;
      }
      sink.putBytes(value);
      return value.length;
    };
  }

  /** Upper case with dashes, from the raw bytes: the driver's own text costs several times more. */
  static ColumnReader guid() {
    return (row, column, sink) -> {
      byte[] value = row.getBytes(column);
      if (value == null) {
        return ColumnReader.ABSENT;
      }
      sink.putBytes(guidText(value));
      return GUID_LENGTH;
    };
  }

  private static byte[] guidText(byte[] raw) {
    byte[] text = new byte[GUID_LENGTH];
    int at = 0;
    for (int i = 0; i < GUID_ORDER.length; i++) {
      if (i == 4 || i == 6 || i == 8 || i == 10) {
        text[at++] = '-';
      }
      byte value = raw[GUID_ORDER[i]];
      text[at++] = HEX[(value >> 4) & 0xF];
      text[at++] = HEX[value & 0xF];
    }
    return text;
  }
}
