package io.github.mssqlcdc.testkit.sqlserver.backend;

import org.jspecify.annotations.Nullable;

/** What the TDS server speaks for: an engine that logs clients in. Thread-safe. */
public interface Backend {

  /**
   * Opens a session.
   *
   * @throws SqlServerError 18456 (bad login; the server closes the connection) or 4060 (no such
   *     database or no access; sent before 18456)
   */
  BackendSession login(Login login) throws SqlServerError;

  /** Major version that LOGINACK tells, 16 for SQL Server 2022. */
  int majorVersion();

  /**
   * @param database empty: the login's default
   * @param token access token in place of user and password; null: none
   */
  record Login(
      String user,
      String password,
      String database,
      String application,
      boolean readOnlyIntent,
      @Nullable String token) {

    public Login(
        String user, String password, String database, String application, boolean readOnlyIntent) {
      this(user, password, database, application, readOnlyIntent, null);
    }

    public Login withToken(String newToken) {
      return new Login(user, password, database, application, readOnlyIntent, newToken);
    }
  }
}
