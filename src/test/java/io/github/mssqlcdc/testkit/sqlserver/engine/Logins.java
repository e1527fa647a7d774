package io.github.mssqlcdc.testkit.sqlserver.engine;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The server's logins. Thread-safe. */
final class Logins {
  private final Map<String, Login> logins = new ConcurrentHashMap<>();
  private final Map<String, String> tokens = new ConcurrentHashMap<>();

  /**
   * @param defaultDatabase master if none was named
   */
  record Login(String name, String password, boolean sysadmin, String defaultDatabase) {

    /** Hides the password. */
    @Override
    public String toString() {
      return "Login[" + name + "]";
    }
  }

  boolean add(String name, String password, @Nullable String defaultDatabase) {
    String database = defaultDatabase == null ? "master" : defaultDatabase;
    return logins.putIfAbsent(key(name), new Login(name, password, false, database)) == null;
  }

  void setSysadmin(String name, boolean sysadmin) {
    logins.computeIfPresent(
        key(name),
        (key, old) -> new Login(old.name(), old.password(), sysadmin, old.defaultDatabase()));
  }

  boolean drop(String name) {
    return logins.remove(key(name)) != null;
  }

  Optional<Login> find(String name) {
    return Optional.ofNullable(logins.get(key(name)));
  }

  void acceptToken(String token, String login) {
    tokens.put(token, login);
  }

  void expireTokens() {
    tokens.clear();
  }

  Optional<Login> ofToken(String token) {
    return Optional.ofNullable(tokens.get(token)).flatMap(this::find);
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
