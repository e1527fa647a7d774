package io.github.mssqlcdc.sqlserver;

import com.microsoft.sqlserver.jdbc.SQLServerDriver;
import io.github.mssqlcdc.connection.ConnectionTarget;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.options.ConnectionOptions;
import io.github.mssqlcdc.options.Secrets;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where options lead to, as the driver itself reads them: it knows many ways to write an address.
 * What streams share hangs on this, so whatever may decide on server or login counts; two ways to
 * write one target may be taken for two, never two targets for one.
 */
final class DriverTarget {
  private static final String DEFAULT_PORT = "1433";
  private static final String TOKEN = "accessToken";

  /** Of no weight for where a connection leads, and often different in each stream. */
  private static final Set<String> HARMLESS =
      Set.of("applicationName", "workstationID", "loginTimeout", "packetSize", "socketTimeout");

  private DriverTarget() {}

  /**
   * @throws InvalidRequestException if the driver can't read the URL
   */
  static ConnectionTarget of(ConnectionOptions options) {
    Map<String, String> read = read(options);
    String server = lower(take(read, "serverName"));
    String instance = lower(take(read, "instanceName"));
    String port = take(read, "portNumber");
    String database = take(read, "databaseName");
    String user = take(read, "user");
    HARMLESS.forEach(read::remove);
    read.keySet().removeIf(Secrets::isSecret);
    String token = token(options.driverProperties());
    if (token != null) {
      // of another principal, perhaps
      read.put(TOKEN, digest(token));
    }
    if (!instance.isEmpty()) {
      // the default port is told as one given is, but then the instance says the port
      read.put("url", options.url());
    }
    return new ConnectionTarget(
        (server.isEmpty() ? "localhost" : server)
            + (instance.isEmpty() ? "" : "\\" + instance)
            + (port.isEmpty() || port.equals(DEFAULT_PORT) ? "" : ":" + port),
        database.isEmpty() ? null : database,
        user.isEmpty() ? null : user,
        read);
  }

  private static Map<String, String> read(ConnectionOptions options) {
    Properties properties = DriverOpener.properties(options);
    Map<String, String> read = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    try {
      for (DriverPropertyInfo property :
          new SQLServerDriver().getPropertyInfo(options.url(), properties)) {
        if (property.value != null && !property.value.isEmpty()) {
          read.put(property.name, property.value);
        }
      }
      return read;
    } catch (SQLException e) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Invalid option 'url': the driver can't read it (" + e.getMessage() + ")",
          e);
    }
  }

  private static String take(Map<String, String> read, String name) {
    String value = read.remove(name);
    return value == null ? "" : value;
  }

  private static @Nullable String token(Map<String, String> given) {
    return given.entrySet().stream()
        .filter(property -> property.getKey().equalsIgnoreCase(TOKEN))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  private static String digest(String secret) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(secret.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Failed to find SHA-256", e);
    }
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
