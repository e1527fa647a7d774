package io.github.mssqlcdc.testkit.sqlserver;

import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;
import io.github.mssqlcdc.testkit.sqlserver.backend.Collation;
import io.github.mssqlcdc.testkit.sqlserver.backend.Product;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcEngine;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseExtension;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore;
import io.github.mssqlcdc.testkit.sqlserver.engine.SqlServerEngine;
import io.github.mssqlcdc.testkit.sqlserver.tds.Encryption;
import io.github.mssqlcdc.testkit.sqlserver.tds.TdsServer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stand-in for SQL Server with Change Data Capture, reached by the Microsoft driver over a
 * socket. {@code docs/stand-in.md} says what it does not do as SQL Server does. Thread-safe.
 */
public final class StandIn implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StandIn.class);
  private static final String ADMIN_USER = "sa";
  private static final String ADMIN_PASSWORD = "Stand-in-1";

  /** A client of this application name may only read. */
  private static final String READER = "mssql-cdc-spark";

  private static final long CAPTURE_INTERVAL_MS = 50;

  private final Map<String, CdcExtension> databases = new ConcurrentHashMap<>();
  private final List<Received> requests = Collections.synchronizedList(new ArrayList<>());
  private final Set<String> objections = Collections.synchronizedSet(new LinkedHashSet<>());
  private final CdcSettings cdcSettings;
  private final Encryption encryption;
  private final SqlServerEngine engine;
  private final Backend front;
  private volatile TdsServer server;
  private final ScheduledExecutorService jobs;

  private StandIn(Builder builder) {
    this.cdcSettings = builder.cdc;
    this.encryption = builder.encryption;
    this.engine =
        new SqlServerEngine(
            builder.clock, builder.zone, builder.product, builder.collation, this::install);
    engine.addAdministrator(ADMIN_USER, ADMIN_PASSWORD);
    this.front = builder.front.apply(engine);
    this.server = listen(builder.port);
    this.jobs = Executors.newSingleThreadScheduledExecutor(StandIn::daemon);
    if (!builder.manualCapture) {
      jobs.scheduleWithFixedDelay(
          this::captureQuietly, CAPTURE_INTERVAL_MS, CAPTURE_INTERVAL_MS, TimeUnit.MILLISECONDS);
    }
  }

  private TdsServer listen(int port) {
    return TdsServer.builder(front)
        .port(port)
        .encryption(encryption)
        .listener(this::received)
        .start();
  }

  /**
   * A statement batch or remote procedure call that a client has sent.
   *
   * @param login the session's login
   * @param spid session id
   * @param sql its text; the procedure's name for a call other than of T-SQL
   */
  public record Received(String login, int spid, String sql) {}

  public static Builder builder() {
    return new Builder();
  }

  /** One with all defaults: UTC, SQL Server 2022, capture on its own. */
  public static StandIn start() {
    return builder().start();
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "stand-in-capture");
    thread.setDaemon(true);
    return thread;
  }

  private DatabaseExtension install(DatabaseStore store) {
    CdcExtension extension = new CdcExtension(CdcEngine.install(store, cdcSettings));
    databases.put(store.name(), extension);
    return extension;
  }

  private void received(Backend.Login login, int spid, String sql) {
    requests.add(new Received(login.user(), spid, sql));
    if (login.application().equals(READER)) {
      ReadOnlyGuard.objection(sql).ifPresent(why -> objections.add(why + " in: " + sql));
    }
  }

  private void captureQuietly() {
    try {
      capture();
    } catch (RuntimeException e) {
      LOG.error("Stand-in: capture failed", e);
    }
  }

  public int port() {
    return server.port();
  }

  /** JDBC URL of a database, without user and password. */
  public String url(String database) {
    String security =
        encryption == Encryption.REQUIRED
            ? "encrypt=true;trustServerCertificate=true"
            : "encrypt=false";
    String name = database.matches("\\w+") ? database : "{" + database.replace("}", "}}") + "}";
    return "jdbc:sqlserver://localhost:" + port() + ";databaseName=" + name + ";" + security;
  }

  /** A login that is sysadmin. */
  public String adminUser() {
    return ADMIN_USER;
  }

  public String adminPassword() {
    return ADMIN_PASSWORD;
  }

  /** A PKCS12 file with the server's certificate, for a client's {@code trustStore}. */
  public Path trustStore() {
    return server.trustStore();
  }

  public String trustStorePassword() {
    return server.trustStorePassword();
  }

  /** From now on this access token stands for the login. */
  public void acceptToken(String token, String login) {
    engine.acceptToken(token, login);
  }

  /** No token accepted so far opens a connection any more; open ones stay. */
  public void expireTokens() {
    engine.expireTokens();
  }

  /** What the capture job does at a poll, now, in every database with CDC. */
  public void capture() {
    databases.values().forEach(CdcExtension::capture);
  }

  /** A run of the cleanup job with this retention, now, in every database with CDC. */
  public void cleanup(Duration retention) {
    databases.values().forEach(database -> database.cleanup(retention));
  }

  /**
   * Change Data Capture of a database, for steps finer than {@link #capture} and {@link #cleanup}.
   */
  public CdcEngine cdc(String database) {
    CdcExtension extension = databases.get(database);
    if (extension == null || extension.dropped()) {
      throw new IllegalArgumentException("Unknown database " + database);
    }
    return extension.cdc();
  }

  /** Everything received since {@link #clearRequests}, in order of arrival. */
  public List<Received> requests() {
    synchronized (requests) {
      return List.copyOf(requests);
    }
  }

  public void clearRequests() {
    requests.clear();
  }

  /** Clients connected now. */
  public int connections() {
    return server.connections();
  }

  /** Drops every client's socket at once, as a failing network does; new ones may come. */
  public void disconnectAll() {
    server.disconnectAll();
  }

  /**
   * As a server that is stopped and started: all sessions end, what they had not committed is
   * rolled back, and for so long nobody listens.
   */
  public void restart(Duration down) throws InterruptedException {
    int port = port();
    server.close();
    TimeUnit.NANOSECONDS.sleep(down.toNanos());
    server = listen(port);
  }

  /**
   * Fails if the library has sent what isn't for a reader to send: a write, DDL, a hint, a
   * procedure that changes something. Each such batch is told of once.
   *
   * @throws AssertionError naming the batches
   */
  public void requireReadOnly() {
    List<String> found;
    synchronized (objections) {
      found = List.copyOf(objections);
      objections.clear();
    }
    if (!found.isEmpty()) {
      throw new AssertionError("The library sent more than reads: " + found);
    }
  }

  /** Ends it, then checks {@link #requireReadOnly}. */
  @Override
  public void close() {
    jobs.shutdownNow();
    server.close();
    engine.close();
    requireReadOnly();
  }

  /** Settings of a stand-in. */
  public static final class Builder {
    private Clock clock = Clock.systemUTC();
    private ZoneId zone = ZoneOffset.UTC;
    private String collation = Collation.DEFAULT;
    private Product product = Product.sqlServer(Product.SQL_SERVER_2022);
    private int port;
    private Encryption encryption = Encryption.OPTIONAL;
    private CdcSettings cdc = CdcSettings.defaults();
    private boolean manualCapture;
    private UnaryOperator<Backend> front = engine -> engine;

    private Builder() {}

    /** What the server takes for the time; the system's clock if not set. */
    public Builder clock(Clock newClock) {
      this.clock = newClock;
      return this;
    }

    /** The server's zone, UTC if not set. It needs a Windows name. */
    public Builder timeZone(ZoneId newZone) {
      this.zone = newZone;
      return this;
    }

    /** 13 for SQL Server 2016, 14 for 2017, 15 for 2019, 16 for 2022 (if not set), 17 for 2025. */
    public Builder majorVersion(int version) {
      this.product = Product.sqlServer(version);
      return this;
    }

    /** Azure SQL Database: no Agent, no msdb, READ COMMITTED by row versions. */
    public Builder azure() {
      this.product = Product.azureSqlDatabase();
      return this;
    }

    /** The server's own: of databases made without one, of their names and of variables. */
    public Builder collation(String newCollation) {
      this.collation = newCollation;
      return this;
    }

    /** Zero, the default, for any free one. */
    public Builder port(int newPort) {
      this.port = newPort;
      return this;
    }

    public Builder encryption(Encryption newEncryption) {
      this.encryption = newEncryption;
      return this;
    }

    /** Which reading of what nobody could look up. */
    public Builder cdc(CdcSettings settings) {
      this.cdc = settings;
      return this;
    }

    /** Nothing is captured until {@link StandIn#capture} is called. */
    public Builder manualCapture() {
      this.manualCapture = true;
      return this;
    }

    /** What stands between the wire and the engine, such as one that answers some itself. */
    public Builder front(UnaryOperator<Backend> newFront) {
      this.front = newFront;
      return this;
    }

    public StandIn start() {
      return new StandIn(this);
    }
  }
}
