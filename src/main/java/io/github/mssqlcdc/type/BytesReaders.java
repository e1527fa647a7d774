package io.github.mssqlcdc.type;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;

/** Readers of text and binary values. */
final class BytesReaders {
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(UTF_8);

  /** Bytes of a uniqueidentifier in the order of its text: its first three groups are reversed. */
  private static final int[] GUID_ORDER = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};

  private static final int GUID_LENGTH = 36;
  private static final char REPLACEMENT = '\uFFFD';

  /** As the driver names them; it gives their bytes as they came. */
  private static final Set<String> UTF16_TYPES = Set.of("nchar", "nvarchar", "ntext");

  private BytesReaders() {}

  static ColumnReader text() {
    return (row, column, sink) -> {
      String value = row.getString(column);
      if (value == null) {
        return NumberReaders.absent(sink);
      }
      // the driver's mark of a malformed pair, which took the character behind it as well
      String whole = value.indexOf(REPLACEMENT) < 0 ? value : unicode(row, column, value);
      byte[] bytes = whole.getBytes(UTF_8);
      sink.putBytes(bytes);
      return bytes.length;
    };
  }

  /** The text with each unpaired surrogate replaced alone; as it is if the column isn't UTF-16. */
  private static String unicode(ResultSet row, int column, String value) throws SQLException {
    // not by the catalogue: the column may have been altered since
    if (!UTF16_TYPES.contains(row.getMetaData().getColumnTypeName(column))) {
      return value;
    }
    byte[] bytes = row.getBytes(column);
    char[] text = new char[bytes.length / Character.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asCharBuffer().get(text);
    for (int i = 0; i < text.length; i++) {
      if (i + 1 < text.length && Character.isSurrogatePair(text[i], text[i + 1])) {
        i++;
      } else if (Character.isSurrogate(text[i])) {
        text[i] = REPLACEMENT;
      }
    }
    return new String(text);
  }

  static ColumnReader binary() {
    return (row, column, sink) -> {
      byte[] value = row.getBytes(column);
      if (value == null) {
        return NumberReaders.absent(sink);
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
        return NumberReaders.absent(sink);
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
