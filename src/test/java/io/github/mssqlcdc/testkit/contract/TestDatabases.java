package io.github.mssqlcdc.testkit.contract;

import java.util.Objects;

/**
 * Where the contract tests run: on a stand-in of their own, or on the server that {@code
 * -Dsqlserver.url} and {@code -Dsqlserver.user} name, with the password in {@code MSSQL_PASSWORD}.
 * That login must be allowed to create databases and to enable CDC.
 */
public final class TestDatabases {
  private TestDatabases() {}

  /** A new database with CDC enabled; closing it drops it. */
  public static TestDatabase create() {
    String url = System.getProperty("sqlserver.url", "");
    return url.isBlank() ? StandInDatabase.start() : onServer(url);
  }

  private static TestDatabase onServer(String url) {
    String password =
        Objects.requireNonNull(System.getenv("MSSQL_PASSWORD"), "Missing MSSQL_PASSWORD");
    return SqlServerDatabase.create(url, System.getProperty("sqlserver.user", "sa"), password);
  }
}
