package io.github.mssqlcdc.type;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Text as UTF-8, from the bytes on the wire where these are known: the driver's strings cost
 * several times more, and each unpaired surrogate in them has taken the character behind it as
 * well.
 */
enum TextReader implements ColumnReader {
  /** From the driver's string, whatever the column is. */
  STRING {
    @Override
    public int read(ResultSet row, int column, ColumnSink sink) throws SQLException {
      String value = row.getString(column);
      return put(value == null ? null : value.getBytes(UTF_8), sink);
    }
  },
  /** The driver gives the bytes of these types as they came. */
  UTF_16 {
    @Override
    public int read(ResultSet row, int column, ColumnSink sink) throws SQLException {
      byte[] value = row.getBytes(column);
      return put(value == null ? null : Utf16.toUtf8(value), sink);
    }
  },
  /** In all code pages of SQL Server ASCII is ASCII; the driver knows which one it is. */
  CODE_PAGE {
    @Override
    public int read(ResultSet row, int column, ColumnSink sink) throws SQLException {
      byte[] value = row.getBytes(column);
      return value == null || isAscii(value) ? put(value, sink) : STRING.read(row, column, sink);
    }
  };

  /** By what comes, not by the catalogue: the column may have been altered since. */
  @Override
  public ColumnReader in(ResultSetMetaData columns, int column) throws SQLException {
    return switch (columns.getColumnTypeName(column)) {
      case "nchar", "nvarchar", "ntext" -> UTF_16;
      case "char", "varchar", "text" -> CODE_PAGE;
      default -> STRING;
    };
  }

  private static int put(byte @Nullable [] value, ColumnSink sink) {
    if (value == null) {
      return ABSENT;
    }
    sink.putBytes(value);
    return value.length;
  }

  private static boolean isAscii(byte[] value) {
    int all = 0;
    for (byte unit : value) {
      all |= unit;
    }
    return all >= 0;
  }
}
