package io.github.mssqlcdc.sqlserver;

import com.microsoft.sqlserver.jdbc.SQLServerDriver;
import io.github.mssqlcdc.connection.ConnectionPool;
import io.github.mssqlcdc.connection.ConnectionTarget;
import io.github.mssqlcdc.connection.DaemonTimer;
import io.github.mssqlcdc.connection.Retry;
import io.github.mssqlcdc.connection.Watch;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.options.ConnectionOptions;
import io.github.mssqlcdc.options.SourceOptions;
import io.github.mssqlcdc.registry.JvmRegistry;
import java.time.Duration;

/** Opens the port to a database. */
public final class SqlServers {
  private SqlServers() {}

  /**
   * A client of the options' database; it sends nothing yet. Clients of equal connection options
   * share one connection pool per JVM, and one poll of max LSN per server, database and login.
   *
   * @param pollInterval how old a shared max LSN may be before an idle stream reads it again
   * @throws io.github.mssqlcdc.error.InvalidRequestException if the options can't be used: an
   *     unknown time zone or driver property, for example
   */
  public static SqlServer connect(SourceOptions options, Duration pollInterval) {
    return connect(options, pollInterval, new Retry(ErrorNumbers::mayPass, Retry::doublingDelay));
  }

  static SqlServer connect(SourceOptions options, Duration pollInterval, Retry retry) {
    return connect(options, pollInterval, retry, Timeouts.DEFAULT);
  }

  static SqlServer connect(
      SourceOptions options, Duration pollInterval, Retry retry, Timeouts timeouts) {
    ConnectionOptions connection = options.connection();
    new DriverNames().check(connection.driverProperties().keySet());
    ConnectionTarget target = DriverTarget.of(connection);
    requireDatabase(target);
    ConnectionPool pool = pool(options, target);
    MaxLsnPoll poll =
        JvmRegistry.shared(MaxLsnPoll.class, target, () -> new MaxLsnPoll(System::nanoTime));
    CaptureWatch capture =
        JvmRegistry.shared(
            CaptureWatch.class, target, () -> new CaptureWatch(target, System::nanoTime));
    SessionWaits waits = JvmRegistry.shared(SessionWaits.class, target, SessionWaits::new);
    PooledDiagnosis diagnosis = new PooledDiagnosis(pool);
    Database database =
        new Database(
            pool,
            retry,
            new ErrorTranslator(target, diagnosis),
            new Watch(timer(), timeouts.patience()),
            timeouts);
    Duration timeout = connection.queryTimeout();
    ClockLog log = JvmRegistry.shared(ClockLog.class, target, () -> new ClockLog(target));
    ClockDetector zones = new ClockDetector(database, log, timeout, options.sourceTimeZone());
    ClockReads clocks = new ClockReads(database, zones, timeout);
    return new JdbcSqlServer(
        new InstanceCatalog(database, timeout, new MissingRights(target, diagnosis)),
        zones,
        clocks,
        new StartReads(database, zones, clocks, timeout),
        new CopyReads(database, zones, clocks, timeout),
        new LsnReads(database, poll, capture, zones, timeout),
        new ChangeReads(database, poll, capture, clocks, waits, pollInterval, timeout),
        new TableReads(database, waits, ReadSettings.of(options)),
        new PlanReads(database, ReadSettings.of(options)),
        capture);
  }

  /** The login's default database may change behind a stream's back. */
  private static void requireDatabase(ConnectionTarget target) {
    String database = target.database();
    if (database == null || database.isEmpty()) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Invalid option 'url': it names no database; add ;databaseName=… (a name with special"
              + " characters in braces)");
    }
  }

  /** One more connection than ranges read at a time, so that a poll needn't wait for a range. */
  private static ConnectionPool pool(SourceOptions options, ConnectionTarget target) {
    Integer partitions = options.numPartitions();
    int size = 1 + (partitions == null ? Runtime.getRuntime().availableProcessors() : partitions);
    ConnectionOptions connection = options.connection();
    DaemonTimer timer = timer();
    return JvmRegistry.shared(
        ConnectionPool.class,
        new PoolKey(connection, size),
        () ->
            new ConnectionPool(
                target,
                size,
                connection.loginTimeout(),
                new DriverOpener(new SQLServerDriver(), connection),
                timer));
  }

  private static DaemonTimer timer() {
    return JvmRegistry.shared(DaemonTimer.class, "timer", DaemonTimer::new);
  }

  record PoolKey(ConnectionOptions options, int size) {}
}
