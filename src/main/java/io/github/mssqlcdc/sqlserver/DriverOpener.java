package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.ConnectionOpener;
import io.github.mssqlcdc.options.ConnectionOptions;
import io.github.mssqlcdc.registry.JvmRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Properties;
import java.util.UUID;

/**
 * Opens connections by the Microsoft driver. Each opening hands over the properties anew, so that a
 * token that the driver fetches by a callback is fetched per connection, on executors too.
 */
final class DriverOpener implements ConnectionOpener {
  private static final String FACTORY = "socketFactoryClass";
  private static final String APPLICATION = "applicationName";

  private final Driver driver;
  private final ConnectionOptions options;

  DriverOpener(Driver driver, ConnectionOptions options) {
    this.driver = driver;
    this.options = options;
  }

  @Override
  public Connection open() throws SQLException {
    Properties properties = properties(options);
    if (hasFactoryOfItsOwn(properties) || !DriverSockets.isKnownTo(driver)) {
      return connect(properties);
    }
    String key = UUID.randomUUID().toString();
    properties.setProperty(FACTORY, DriverSockets.class.getName());
    properties.setProperty("socketFactoryConstructorArg", key);
    try {
      return cuttable(connect(properties), key);
    } catch (SQLException | RuntimeException e) {
      JvmRegistry.remove(DriverSockets.Opened.class, key);
      throw e;
    }
  }

  private Connection connect(Properties properties) throws SQLException {
    Connection connection = driver.connect(options.url(), properties);
    if (connection == null) {
      throw new SQLException("The driver doesn't take this URL");
    }
    return connection;
  }

  private boolean hasFactoryOfItsOwn(Properties properties) {
    return options.url().toLowerCase(Locale.ROOT).contains(FACTORY.toLowerCase(Locale.ROOT))
        || properties.stringPropertyNames().stream().anyMatch(FACTORY::equalsIgnoreCase);
  }

  /** The connection, but that aborting it closes its sockets first. */
  private static Connection cuttable(Connection connection, String key) {
    return (Connection)
        Proxy.newProxyInstance(
            DriverOpener.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "abort" ->
                    JvmRegistry.remove(DriverSockets.Opened.class, key)
                        .ifPresent(DriverSockets.Opened::close);
                case "close" -> JvmRegistry.remove(DriverSockets.Opened.class, key);
                default -> {}
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
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
