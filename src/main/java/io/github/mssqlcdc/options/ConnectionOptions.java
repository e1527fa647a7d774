package io.github.mssqlcdc.options;

import java.io.Serializable;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How to reach the database. Its text never shows the password or a driver property's value.
 *
 * @param url JDBC URL of the Microsoft driver
 * @param user login; null when the URL or a driver property says how to authenticate
 * @param password its password; null likewise
 * @param driverProperties driver properties given as {@code jdbc.<name>}, without that prefix
 * @param loginTimeout how long a login may take
 * @param queryTimeout how long metadata statements and polls may take
 */
public record ConnectionOptions(
    String url,
    @Nullable String user,
    @Nullable String password,
    Map<String, String> driverProperties,
    Duration loginTimeout,
    Duration queryTimeout)
    implements Serializable {

  public ConnectionOptions {
    driverProperties = Map.copyOf(driverProperties);
  }

  static ConnectionOptions of(OptionValues values) {
    String url = values.require(Options.URL);
    UrlSecrets.requireNoneIn(url);
    return new ConnectionOptions(
        url,
        values.find(Options.USER),
        values.find(Options.PASSWORD),
        values.driverProperties(),
        values.require(Options.LOGIN_TIMEOUT),
        values.require(Options.QUERY_TIMEOUT));
  }

  @Override
  public String toString() {
    return "ConnectionOptions[user=" + user + "]";
  }
}
