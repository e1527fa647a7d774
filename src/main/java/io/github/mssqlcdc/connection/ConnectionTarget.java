package io.github.mssqlcdc.connection;

import io.github.mssqlcdc.options.ConnectionOptions;
import io.github.mssqlcdc.options.UrlProperties;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a connection leads to, for messages and as a key. Holds no secret.
 *
 * @param server host, with instance and port where the URL has them
 * @param database database of the URL or of a driver property; null: the login's default
 * @param user login; null where something else than a login authenticates
 * @param intent application intent, in lower case; null if none is set
 */
public record ConnectionTarget(
    String server, @Nullable String database, @Nullable String user, @Nullable String intent) {

  /** What these options lead to; driver properties win over the URL, as they do in the driver. */
  public static ConnectionTarget of(ConnectionOptions options) {
    String url = options.url();
    int properties = url.indexOf(';');
    String head = properties < 0 ? url : url.substring(0, properties);
    Map<String, String> set = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    set.putAll(UrlProperties.parse(properties < 0 ? "" : url.substring(properties)));
    set.putAll(options.driverProperties());
    int host = head.indexOf("//");
    String server = host < 0 ? "" : head.substring(host + 2);
    String intent = set.get("applicationIntent");
    return new ConnectionTarget(
        server.isEmpty() ? first(set, "serverName", "server") : server,
        set.containsKey("databaseName") ? set.get("databaseName") : set.get("database"),
        options.user() == null ? set.getOrDefault("user", set.get("userName")) : options.user(),
        intent == null ? null : intent.toLowerCase(Locale.ROOT));
  }

  private static String first(Map<String, String> set, String... names) {
    for (String name : names) {
      String value = set.get(name);
      if (value != null) {
        return value;
      }
    }
    return "localhost";
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
