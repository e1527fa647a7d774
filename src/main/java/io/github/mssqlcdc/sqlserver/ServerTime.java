package io.github.mssqlcdc.sqlserver;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Objects;

/**
 * The server's time at the moment of a statement.
 *
 * @param offset of its clock from UTC, now
 * @param utc now
 */
record ServerTime(ZoneOffset offset, LocalDateTime utc) {
  /** T-SQL of its two columns. */
  static final String COLUMNS =
      "DATEPART(TZOFFSET, SYSDATETIMEOFFSET()) AS offset_minutes, SYSUTCDATETIME() AS utc_now";

  private static final int SECONDS_PER_MINUTE = 60;

  /**
   * @param column the first of its two columns
   */
  static ServerTime of(ResultSet row, int column) throws SQLException {
    return new ServerTime(
        offset(row.getInt(column)), Objects.requireNonNull(Results.time(row, column + 1)));
  }

  static ZoneOffset offset(int minutes) {
    return ZoneOffset.ofTotalSeconds(SECONDS_PER_MINUTE * minutes);
  }
}
