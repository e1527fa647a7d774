package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.options.ConnectionOptions;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.registry.JvmRegistry;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the driver is handed for a connection. */
class DriverOpenerTest {
  private static final String URL = "jdbc:sqlserver://db.example.com;databaseName=shop";

  private final RecordingDriver driver = new RecordingDriver();

  @Test
  void aLoginAndItsPasswordArePropertiesAndNotPartOfTheUrl() {
    open("user", "reader", "password", "geheim");

    assertThat(driver.urls).containsExactly(URL);
    assertThat(driver.properties)
        .containsExactly(
            Map.of(
                "user", "reader",
                "password", "geheim",
                "loginTimeout", "30",
                "applicationName", "mssql-cdc-spark"));
  }

  @Test
  void aTokenAndWhatGetsOnePassThroughUntouchedForEachConnection() {
    DriverOpener opener =
        open(
            "jdbc.accessTokenCallbackClass",
            "com.example.Tokens",
            "jdbc.authentication",
            "ActiveDirectoryManagedIdentity",
            "jdbc.msiClientId",
            "a-b-c");
    open(opener);
    open("jdbc.accessToken", "eyJ0");

    Map<String, String> expected =
        Map.of(
            "accessTokenCallbackClass", "com.example.Tokens",
            "authentication", "ActiveDirectoryManagedIdentity",
            "msiClientId", "a-b-c",
            "loginTimeout", "30",
            "applicationName", "mssql-cdc-spark");
    assertThat(driver.properties)
        .containsExactly(
            expected,
            expected,
            Map.of(
                "accessToken", "eyJ0",
                "loginTimeout", "30",
                "applicationName", "mssql-cdc-spark"));
  }

  @Test
  void theDriverTakesSocketsThatCanBeClosedUnderItUnlessItIsGivenOthers() {
    open("user", "reader");
    open("jdbc.socketFactoryClass", "com.example.Sockets");

    assertThat(driver.factories)
        .containsExactly(DriverSockets.class.getName(), "com.example.Sockets");
    assertThat(driver.keys).hasSize(1);
    assertThat(JvmRegistry.find(DriverSockets.Opened.class, driver.keys.get(0)))
        .as("what is left of a connection that was refused")
        .isEmpty();
  }

  @Test
  void theKeyOfAPoolShowsNoSecret() {
    ConnectionOptions options =
        options("password", "geheim", "jdbc.accessToken", "geheim", "user", "reader");

    assertThat(new SqlServers.PoolKey(options, 3).toString())
        .contains("reader")
        .doesNotContain("geheim");
  }

  private DriverOpener open(String... namesAndValues) {
    DriverOpener opener = new DriverOpener(driver, options(namesAndValues));
    open(opener);
    return opener;
  }

  private static void open(DriverOpener opener) {
    assertThatThrownBy(opener::open).hasMessage("no server here");
  }

  private static ConnectionOptions options(String... namesAndValues) {
    Map<String, String> options = new HashMap<>(Map.of("url", URL, "captureInstance", "i"));
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return StreamOptions.parse(options).source().connection();
  }

  /** Remembers what it is handed, and connects to nothing. */
  private static final class RecordingDriver implements Driver {
    final List<String> urls = new ArrayList<>();
    final List<Object> properties = new ArrayList<>();
    final List<Object> factories = new ArrayList<>();
    final List<Object> keys = new ArrayList<>();

    @Override
    public @Nullable Connection connect(String url, Properties info) throws SQLException {
      urls.add(url);
      Map<Object, Object> handed = new HashMap<>(info);
      factories.add(handed.remove("socketFactoryClass"));
      Object key = handed.remove("socketFactoryConstructorArg");
      if (key != null) {
        new DriverSockets(key.toString());
        keys.add(key);
      }
      properties.add(handed);
      throw new SQLException("no server here");
    }

    @Override
    public boolean acceptsURL(String url) {
      return true;
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
      return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
      return 1;
    }

    @Override
    public int getMinorVersion() {
      return 0;
    }

    @Override
    public boolean jdbcCompliant() {
      return false;
    }

    @Override
    public Logger getParentLogger() {
      return Logger.getGlobal();
    }
  }
}
