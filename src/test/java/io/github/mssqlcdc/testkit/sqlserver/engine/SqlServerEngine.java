package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;
import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import io.github.mssqlcdc.testkit.sqlserver.backend.Collation;
import io.github.mssqlcdc.testkit.sqlserver.backend.Product;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A SQL Server in memory, without the wire: logins, databases, sessions. Thread-safe. */
public final class SqlServerEngine implements Backend, AutoCloseable {
  private static final int FIRST_SPID = 51;

  private final Product product;
  private final ServerClock clock;
  private final Logins logins = new Logins();
  private final Databases databases;
  private final Configuration configuration = new Configuration();
  private final Map<Integer, Session> sessions = new ConcurrentHashMap<>();
  private final AtomicInteger nextSpid = new AtomicInteger(FIRST_SPID);

  /**
   * @param install adds Change Data Capture to a database when it is created
   */
  public SqlServerEngine(
      Clock clock,
      ZoneId zone,
      Product product,
      Function<DatabaseStore, DatabaseExtension> install) {
    this(clock, zone, product, Collation.DEFAULT, install);
  }

  /**
   * @param collation the server's own
   */
  public SqlServerEngine(
      Clock clock,
      ZoneId zone,
      Product product,
      String collation,
      Function<DatabaseStore, DatabaseExtension> install) {
    this.clock = new ServerClock(clock, zone);
    this.product = product;
    this.databases = new Databases(this.clock, product, collation, install);
  }

  /** Adds a login that is sysadmin. */
  public void addAdministrator(String name, String password) {
    logins.add(name, password, null);
    logins.setSysadmin(name, true);
  }

  @Override
  public BackendSession login(Login login) throws SqlServerError {
    Logins.Login known = known(login);
    String name = login.database().isEmpty() ? known.defaultDatabase() : login.database();
    Optional<Database> database = databases.find(name).filter(d -> mayEnter(known, d));
    if (database.isEmpty()) {
      throw new SqlServerError(
          4060,
          11,
          1,
          "Cannot open database \"" + name + "\" requested by the login. The login failed.");
    }
    Session session =
        new Session(this, nextSpid.getAndIncrement(), known.name(), login, database.get());
    sessions.put(session.spid(), session);
    return session;
  }

  private Logins.Login known(Login login) throws SqlServerError {
    String token = login.token();
    return token == null
        ? logins
            .find(login.user())
            .filter(found -> found.password().equals(login.password()))
            .orElseThrow(() -> loginFailed(login.user()))
        : logins.ofToken(token).orElseThrow(() -> loginFailed("<token-identified principal>"));
  }

  /** From now on this token stands for the login. */
  public void acceptToken(String token, String login) {
    logins.acceptToken(token, login);
  }

  /** No token issued so far opens a session any more; open ones stay. */
  public void expireTokens() {
    logins.expireTokens();
  }

  private static SqlServerError loginFailed(String user) {
    return new SqlServerError(18456, 14, 1, "Login failed for user '" + user + "'.");
  }

  /** Whether the login is sysadmin or a user of the database; everybody may enter master. */
  static boolean mayEnter(Logins.Login login, Database database) {
    return login.sysadmin()
        || database.id() <= 2
        || database.catalog().security().userOf(login.name()).isPresent();
  }

  @Override
  public int majorVersion() {
    return product.majorVersion();
  }

  Product product() {
    return product;
  }

  ServerClock clock() {
    return clock;
  }

  Logins logins() {
    return logins;
  }

  Configuration configuration() {
    return configuration;
  }

  Databases databases() {
    return databases;
  }

  List<Session> sessions() {
    return List.copyOf(sessions.values());
  }

  void forget(Session session) {
    sessions.remove(session.spid());
  }

  @Override
  public void close() {
    sessions().forEach(Session::close);
    databases.close();
  }
}
