package io.github.mssqlcdc.connection;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a connection leads to, for messages and as a key: only where two are equal are the server
 * and the login the same. Holds no secret.
 *
 * @param server host, with instance and port where they are not the usual ones
 * @param database null: the login's default
 * @param user login; null where something else than a login authenticates
 * @param properties all else that decides on server and login, by the driver's names
 */
public record ConnectionTarget(
    String server,
    @Nullable String database,
    @Nullable String user,
    Map<String, String> properties) {

  public ConnectionTarget {
    properties = Map.copyOf(properties);
  }

  /** For messages: {@code server db.example.com:1433, database shop, user reader}. */
  @Override
  public String toString() {
    return "server "
        + server
        + (database == null ? "" : ", database " + database)
        + (user == null ? "" : ", user " + user);
  }
}
