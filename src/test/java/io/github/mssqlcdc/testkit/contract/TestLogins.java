package io.github.mssqlcdc.testkit.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Logins that a test has made: they belong to the server, which outlives the test's database. */
final class TestLogins {
  private static final int DROP_ATTEMPTS = 25;
  private static final String PASSWORD = "Leser-geheim-1";

  private final List<String> names = new ArrayList<>();

  TestLogin create(DatabaseClient database, String user) {
    String login = "contract_" + UUID.randomUUID().toString().replace("-", "");
    database.run("CREATE LOGIN " + login + " WITH PASSWORD = '" + PASSWORD + "'");
    names.add(login);
    database.run("CREATE USER " + DatabaseClient.quoted(user) + " FOR LOGIN " + login);
    return new TestLogin(login, PASSWORD);
  }

  /** To be called when their database is gone: it ended the sessions, which may take a moment. */
  void drop(DatabaseClient master) {
    names.forEach(name -> drop(master, name, DROP_ATTEMPTS));
    names.clear();
  }

  private static void drop(DatabaseClient master, String name, int attempts) {
    try {
      master.run("DROP LOGIN " + name);
    } catch (IllegalStateException e) {
      if (attempts == 1) {
        throw e;
      }
      Pause.briefly();
      drop(master, name, attempts - 1);
    }
  }
}
