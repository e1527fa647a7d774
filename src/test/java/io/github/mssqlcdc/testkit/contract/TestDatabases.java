package io.github.mssqlcdc.testkit.contract;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where the contract tests run: on a stand-in of their own, or on the server that {@code
 * -Dsqlserver.url} and {@code -Dsqlserver.user} name, with the password in {@code MSSQL_PASSWORD}.
 * That login must be allowed to create databases and to enable CDC.
 */
public final class TestDatabases {
  private TestDatabases() {}

  /** A new database with CDC enabled; closing it drops it. */
  public static TestDatabase create() {
    return create("contract_", null);
  }

  /**
   * @param prefix how its name begins
   * @param collation null: the server's own
   */
  public static TestDatabase create(String prefix, @Nullable String collation) {
    String url = System.getProperty("sqlserver.url", "");
    if (url.isBlank()) {
      return StandInDatabase.start(prefix, collation);
    }
    String user = System.getProperty("sqlserver.user", "sa");
    String password =
        Objects.requireNonNull(System.getenv("MSSQL_PASSWORD"), "Missing MSSQL_PASSWORD");
    return SqlServerDatabase.create(url, user, password, prefix, collation);
  }
}
