package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.ManualClock;
import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;
import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.Product;
import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An engine with one database {@code shop}, below the wire, and what it told of commits. */
final class EngineFixture implements AutoCloseable {
  static final String ADMIN = "sa";
  static final String PASSWORD = "Secret-1";

  final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T12:00:00.123456789Z"));
  final List<CommitListener.Commit> commits = new ArrayList<>();
  final List<String> alterations = new ArrayList<>();
  final SqlServerEngine engine;
  DatabaseStore store;
  boolean tracking;

  EngineFixture() {
    engine =
        new SqlServerEngine(
            clock, ZoneId.of("Europe/Berlin"), Product.sqlServer(16), this::install);
    engine.addAdministrator(ADMIN, PASSWORD);
    run(session("master"), "CREATE DATABASE shop");
  }

  private DatabaseExtension install(DatabaseStore database) {
    store = database;
    database.listen(commits::add);
    return new DatabaseExtension() {
      @Override
      public boolean enabled() {
        return tracking;
      }

      @Override
      public boolean tracks(int tableId) {
        return tracking;
      }

      @Override
      public void tableAltered(int tableId, String ddl, Map<Integer, DataType> retyped) {
        alterations.add(ddl);
      }

      @Override
      public void tableDropped(int tableId) {
        alterations.add("dropped");
      }

      @Override
      public void databaseDropped() {
        alterations.add("database dropped");
      }

      @Override
      public Optional<String> changes(
          SessionContext session,
          String instance,
          byte @Nullable [] from,
          byte @Nullable [] to,
          @Nullable String option) {
        return Optional.empty();
      }
    };
  }

  BackendSession session() {
    return session("shop");
  }

  BackendSession session(String database) {
    return session(ADMIN, PASSWORD, database);
  }

  BackendSession session(String user, String password, String database) {
    try {
      return engine.login(new Backend.Login(user, password, database, "test", false));
    } catch (SqlServerError e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs a batch that must not fail. */
  static RecordingSink run(BackendSession session, String sql) {
    RecordingSink sink = attempt(session, sql);
    if (!sink.errors.isEmpty()) {
      throw new IllegalStateException(
          sink.errors.get(0).number() + ": " + sink.errors.get(0).getMessage() + " in " + sql);
    }
    return sink;
  }

  static RecordingSink attempt(BackendSession session, String sql) {
    RecordingSink sink = new RecordingSink();
    session.execute(new Request.Batch(sql), sink);
    return sink;
  }

  /** Runs T-SQL with parameters, as a prepared statement does. */
  static RecordingSink call(BackendSession session, String sql, Request.Parameter... parameters) {
    RecordingSink sink = new RecordingSink();
    session.execute(new Request.Parameterized(sql, Arrays.asList(parameters)), sink);
    return sink;
  }

  /** Rows of the last result set of a batch that must not fail. */
  static List<List<Object>> rows(BackendSession session, String sql) {
    List<RecordingSink.ResultSet> results = run(session, sql).results;
    return results.get(results.size() - 1).rows();
  }

  static Object value(BackendSession session, String sql) {
    return rows(session, sql).get(0).get(0);
  }

  /** Number of the first error of a batch that must fail. */
  static int error(BackendSession session, String sql) {
    return attempt(session, sql).errors.get(0).number();
  }

  @Override
  public void close() {
    engine.close();
  }
}
