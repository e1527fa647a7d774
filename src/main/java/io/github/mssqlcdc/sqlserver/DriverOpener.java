package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.ConnectionOpener;
import io.github.mssqlcdc.options.ConnectionOptions;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Properties;

/**
 * Opens connections by the Microsoft driver. Each opening hands over the properties anew, so that a
 * token that the driver fetches by a callback is fetched per connection, on executors too.
 */
final class DriverOpener implements ConnectionOpener {
  private static final String APPLICATION = "applicationName";

  private final Driver driver;
  private final ConnectionOptions options;

  DriverOpener(Driver driver, ConnectionOptions options) {
    this.driver = driver;
    this.options = options;
  }

  @Override
  public Connection open() throws SQLException {
    Connection connection = driver.connect(options.url(), properties(options));
    if (connection == null) {
      throw new SQLException("The driver doesn't take this URL");
    }
    return connection;
  }

  /** What the driver is handed beside the URL. */
  static Properties properties(ConnectionOptions options) {
    Properties properties = new Properties();
    // a property wins over the URL, so say who we are only where the URL doesn't
    if (!options.url().toLowerCase(Locale.ROOT).contains(APPLICATION.toLowerCase(Locale.ROOT))) {
      properties.setProperty(APPLICATION, "mssql-cdc-spark");
    }
    properties.setProperty("loginTimeout", Long.toString(seconds(options)));
    properties.putAll(options.driverProperties());
    String user = options.user();
    String password = options.password();
    if (user != null) {
      properties.setProperty("user", user);
    }
    if (password != null) {
      properties.setProperty("password", password);
    }
    return properties;
  }

  private static long seconds(ConnectionOptions options) {
    return Math.max(1, options.loginTimeout().toSeconds());
  }
}
