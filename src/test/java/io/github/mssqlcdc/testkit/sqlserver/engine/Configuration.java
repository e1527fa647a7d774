package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code sp_configure} and what it sets: the one option that matters here, the largest value that
 * capture takes. Thread-safe.
 */
final class Configuration implements SystemProcedure {
  private static final String MAX_TEXT_REPL_SIZE = "max text repl size (b)";

  private volatile int configured = 65_536;
  private volatile int running = configured;

  /** Bytes of a value that a tracked table's column may take in one statement; -1: any. */
  int maxTextReplSize() {
    return running;
  }

  /** RECONFIGURE. */
  void apply() {
    running = configured;
  }

  @Override
  public String name() {
    return "sys.sp_configure";
  }

  @Override
  public List<String> parameters() {
    return List.of("@configname", "@configvalue");
  }

  @Override
  public int call(SessionContext caller, Map<String, @Nullable Object> arguments, ResponseSink out)
      throws SqlServerError {
    String option = String.valueOf(arguments.get("@configname"));
    if (option.isEmpty() || !MAX_TEXT_REPL_SIZE.startsWith(option.toLowerCase(Locale.ROOT))) {
      throw new SqlServerError(
          15123,
          16,
          1,
          "The configuration option '"
              + option
              + "' does not exist, or it may be an advanced option.");
    }
    if (!caller.isSysadmin()) {
      throw new SqlServerError(
          15247, 16, 1, "User does not have permission to perform this action.");
    }
    configured = Integer.parseInt(String.valueOf(arguments.get("@configvalue")));
    return 0;
  }
}
