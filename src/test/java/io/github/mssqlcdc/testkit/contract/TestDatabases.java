package io.github.mssqlcdc.testkit.contract;

import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Where the contract tests run: on the server that {@code -Dsqlserver.url} and {@code
 * -Dsqlserver.user} name, with the password in {@code MSSQL_PASSWORD}; else, with {@code
 * -Dsqlserver.image}, on the {@link TestServer} that the class path brings; else on a stand-in of
 * their own.
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
    Optional<TestServer> server = server();
    return server.isPresent()
        ? SqlServerDatabase.create(server.get(), prefix, collation)
        : StandInDatabase.start(prefix, collation);
  }

  private static Optional<TestServer> server() {
    String url = System.getProperty("sqlserver.url", "");
    if (url.isBlank()) {
      return System.getProperty("sqlserver.image", "").isBlank()
          ? Optional.empty()
          : ServiceLoader.load(TestServer.class).findFirst();
    }
    String user = System.getProperty("sqlserver.user", "");
    String password =
        Objects.requireNonNull(System.getenv("MSSQL_PASSWORD"), "Missing MSSQL_PASSWORD");
    return Optional.of(new NamedServer(url, user.isBlank() ? "sa" : user, password));
  }

  private record NamedServer(String url, String user, String password) implements TestServer {}
}
