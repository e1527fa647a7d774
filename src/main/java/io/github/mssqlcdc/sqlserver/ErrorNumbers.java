package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.ConnectFailedException;
import io.github.mssqlcdc.connection.Failures;
import java.sql.SQLException;
import java.util.Set;

/** What SQL Server's error numbers mean to us. */
final class ErrorNumbers {
  static final int LOGIN_REFUSED = 18456;
  static final int DATABASE_REFUSED = 4060;
  static final int NO_SUCH_OBJECT = 208;
  static final int CDC_NOT_ENABLED = 22901;
  static final int LOCK_TIMEOUT = 1222;
  static final int SNAPSHOT_OFF = 3952;

  /** The transaction began under another level, met DDL, or met another's write. */
  private static final Set<Integer> SNAPSHOT_FAILED = Set.of(3951, 3960, 3961);

  /** CDC's own "object does not exist or access is denied". */
  static final int CDC_ACCESS_DENIED = 22981;

  /** Refused on an object or a column. */
  private static final Set<Integer> RIGHT_REFUSED = Set.of(229, 230);

  /** Refused to look at the state of the server or the database. */
  private static final Set<Integer> STATE_REFUSED = Set.of(262, 297, 300, 371);

  /** Failures that pass: the driver's own list for logins, and what can hit a read on the way. */
  private static final Set<Integer> PASSING =
      Set.of(
          // Azure SQL: failover, throttling, reconfiguration
          40197,
          40143,
          40166,
          40540,
          40020,
          40501,
          40613,
          49918,
          49919,
          49920,
          10928,
          10929,
          42108,
          42109,
          // the network, as the server reports it
          10053,
          10054,
          233,
          64,
          // deadlock victim, lock timeout, snapshot conflicts and transitions
          1205,
          1222,
          3960,
          3961,
          3957,
          3948,
          3949,
          // an availability group in the middle of a role change
          4221,
          976,
          983,
          // the server shuts down, the session was killed, the database is in transition
          6005,
          596,
          952,
          942,
          927);

  private ErrorNumbers() {}

  /** Whether the same call on a new connection may succeed. */
  static boolean mayPass(SQLException failure) {
    int number = failure.getErrorCode();
    if (number == LOGIN_REFUSED) {
      // repeating it locks accounts
      return false;
    }
    if (number == DATABASE_REFUSED) {
      // a mistake, unless the database was there: then it is failing over or starting
      return failure instanceof ConnectFailedException && !isFirstConnection(failure);
    }
    return PASSING.contains(number)
        || (Failures.isBrokenConnection(failure) && !isFirstConnection(failure));
  }

  /**
   * Where no connection ever came about, the address is wrong more often than the server is away.
   */
  private static boolean isFirstConnection(SQLException failure) {
    return failure instanceof ConnectFailedException e && !e.workedBefore();
  }

  static boolean isSnapshotFailed(SQLException failure) {
    return SNAPSHOT_FAILED.contains(failure.getErrorCode());
  }

  static boolean isStateRefused(SQLException failure) {
    return STATE_REFUSED.contains(failure.getErrorCode());
  }

  static boolean isRightRefused(SQLException failure) {
    return RIGHT_REFUSED.contains(failure.getErrorCode());
  }
}
