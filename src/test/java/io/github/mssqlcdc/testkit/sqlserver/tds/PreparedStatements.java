package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Handles of a session's prepared statements. Not thread-safe. */
final class PreparedStatements {
  private static final Pattern UNPREPARE_BATCH =
      Pattern.compile(
          "\\s*(?:exec(?:ute)?\\s+(?:sys\\.)?sp_unprepare\\s+\\d+\\s*;?\\s*)+",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern HANDLE = Pattern.compile("\\d+");

  private final Map<Integer, Prepared> statements = new HashMap<>();
  private int lastHandle;

  /**
   * @param declarations of the parameters, as sent
   */
  record Prepared(String declarations, String sql) {}

  int prepare(String declarations, String sql) {
    statements.put(++lastHandle, new Prepared(declarations, sql));
    return lastHandle;
  }

  /**
   * @throws SqlServerError 8179, unknown handle
   */
  Prepared find(int handle) throws SqlServerError {
    Prepared prepared = statements.get(handle);
    if (prepared == null) {
      throw new SqlServerError(
          8179, 16, 2, "Could not find prepared statement with handle " + handle + ".");
    }
    return prepared;
  }

  void unprepare(int handle) {
    statements.remove(handle);
  }

  /** Whether the batch is the driver's list of handles to forget, which it then has done. */
  boolean unprepareBatch(String sql) {
    if (!UNPREPARE_BATCH.matcher(sql).matches()) {
      return false;
    }
    Matcher handle = HANDLE.matcher(sql);
    while (handle.find()) {
      unprepare(Integer.parseInt(handle.group()));
    }
    return true;
  }

  void clear() {
    statements.clear();
  }
}
