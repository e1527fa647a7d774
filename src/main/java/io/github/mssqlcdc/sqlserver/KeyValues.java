package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Reads keys, with every digit that they have on the server. */
final class KeyValues {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private KeyValues() {}

  /**
   * The key of a row.
   *
   * @param place of each of its columns, from 1
   */
  static KeyBound bound(ResultSet row, List<KeyColumn> columns, ToIntFunction<KeyColumn> place)
      throws SQLException {
    List<@Nullable String> values = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      String text = text(row, place.applyAsInt(columns.get(i)), columns.get(i));
      values.add(text == null ? null : columns.get(i).value(text));
    }
    return new KeyBound(values);
  }

  private static @Nullable String text(ResultSet row, int place, KeyColumn column)
      throws SQLException {
    if (column.isBinary()) {
      byte[] bytes = row.getBytes(place);
      return bytes == null ? null : "0x" + HEX.formatHex(bytes);
    }
    // getString would shift a time that the JVM's zone skips
    Object time =
        switch (column.type().name()) {
          case "date" -> row.getObject(place, LocalDate.class);
          case "datetime", "smalldatetime", "datetime2" ->
              row.getObject(place, LocalDateTime.class);
          case "datetimeoffset" -> row.getObject(place, OffsetDateTime.class);
          default -> row.getString(place);
        };
    return time == null ? null : time.toString();
  }
}
