package io.github.mssqlcdc.sqlserver;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long the server waited on sending to us: the session's own ASYNC_NETWORK_IO wait. Some
 * servers refuse the view (Azure SQL Database to a login of least privilege); then it is unknown,
 * never an error. Thread-safe.
 */
final class SessionWaits {
  private static final Logger LOG = LoggerFactory.getLogger(SessionWaits.class);
  private static final String VIEW = "dm_exec_session_wait_stats";
  private static final String WAIT =
      "(SELECT wait_time_ms FROM sys."
          + VIEW
          + " WHERE session_id = @@SPID AND wait_type = N'ASYNC_NETWORK_IO')";

  /** T-SQL of a wait that isn't asked for. */
  static final String UNKNOWN = "CAST(NULL AS bigint)";

  /** No row stands there until the session has waited. */
  private static final String KNOWN = "COALESCE(" + WAIT + ", 0)";

  private volatile boolean refused;

  /** T-SQL of the session's wait so far in milliseconds, or NULL. */
  String sql() {
    return refused ? UNKNOWN : KNOWN;
  }

  /** Whether this failure means that the view is refused; from then on it isn't asked for. */
  boolean learn(SQLException failure) {
    String message = failure.getMessage();
    boolean namesIt = message != null && message.contains(VIEW);
    boolean isRefusal =
        !refused
            && (ErrorNumbers.isStateRefused(failure)
                || (namesIt
                    && (failure.getErrorCode() == ErrorNumbers.NO_SUCH_OBJECT
                        || ErrorNumbers.isRightRefused(failure))));
    if (isRefusal) {
      refused = true;
      LOG.warn(
          "The server doesn't let this login see its session's waits ({}): network_wait_ms stays"
              + " NULL",
          message);
    }
    return isRefusal;
  }

  static @Nullable Long between(@Nullable Long before, @Nullable Long after) {
    return before == null || after == null ? null : (Long) (after - before);
  }
}
