package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;

/** Hears of every request before it runs. Called by the sessions' own threads. */
@FunctionalInterface
public interface RequestListener {

  /**
   * Tells of a request.
   *
   * @param login who asks
   * @param spid session id
   * @param sql text of the statement batch or of the parameterized call; the procedure's name for
   *     any other remote procedure call
   */
  void received(Backend.Login login, int spid, String sql);
}
