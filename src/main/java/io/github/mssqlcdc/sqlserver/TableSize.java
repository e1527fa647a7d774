package io.github.mssqlcdc.sqlserver;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the server believes a table to hold; it costs next to nothing to ask, and may be wrong.
 *
 * @param bytes of its rows as they are stored, indexes not counted
 */
public record TableSize(long rows, long bytes) {
  private static final Pattern NUMBER = Pattern.compile("\\s*(\\d{1,18})\\s*");
  private static final Pattern KILOBYTES = Pattern.compile("\\s*(\\d{1,15})\\s*KB\\s*");

  /**
   * From the answer of {@code sp_spaceused}, which is padded text; empty if it isn't understood.
   */
  static Optional<TableSize> parse(ResultSet row) throws SQLException {
    String rows = row.getString(2);
    String data = row.getString(4);
    if (rows == null || data == null) {
      return Optional.empty();
    }
    Matcher count = NUMBER.matcher(rows);
    Matcher size = KILOBYTES.matcher(data);
    return count.matches() && size.matches()
        ? Optional.of(
            new TableSize(Long.parseLong(count.group(1)), 1024 * Long.parseLong(size.group(1))))
        : Optional.empty();
  }
}
