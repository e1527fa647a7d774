package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Reads H2's values in the Java classes of the backend's seam. */
final class RowReader {
  private RowReader() {}

  /** A column, from 1, as a value of this T-SQL type. */
  static @Nullable Object read(ResultSet rows, int column, DataType type) throws SQLException {
    return switch (type.name()) {
      case TINYINT, SMALLINT, INT -> {
        int value = rows.getInt(column);
        yield rows.wasNull() ? null : value;
      }
      case BIGINT -> {
        long value = rows.getLong(column);
        yield rows.wasNull() ? null : value;
      }
      case BINARY, VARBINARY, IMAGE, ROWVERSION -> rows.getBytes(column);
      case CHAR, VARCHAR, NCHAR, NVARCHAR, TEXT, NTEXT, XML -> rows.getString(column);
      default -> rows.getObject(column, type.name().valueClass());
    };
  }

  /** A column, from 1, by what H2 says of its type; dates and times as java.time. */
  static @Nullable Object read(ResultSet rows, int column) throws SQLException {
    ResultSetMetaData meta = rows.getMetaData();
    return switch (meta.getColumnType(column)) {
      case Types.TIMESTAMP -> rows.getObject(column, LocalDateTime.class);
      case Types.DATE -> rows.getObject(column, LocalDate.class);
      case Types.TIME -> rows.getObject(column, LocalTime.class);
      case Types.TIMESTAMP_WITH_TIMEZONE -> rows.getObject(column, OffsetDateTime.class);
      default -> rows.getObject(column);
    };
  }
}
