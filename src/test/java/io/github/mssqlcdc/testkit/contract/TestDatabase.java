package io.github.mssqlcdc.testkit.contract;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * The small port that server-facing tests are written on: a database of its own, CDC enabled, on
 * the stand-in or on a real SQL Server. Set up by T-SQL, then wait for capture.
 */
public interface TestDatabase extends AutoCloseable {

  /** JDBC URL with the database in it, without user and password. */
  String url();

  /** A login that is db_owner here. */
  String user();

  String password();

  /** A new connection as {@link #user()}, in autocommit. */
  Connection connect() throws SQLException;

  /** Runs each text as a statement batch of its own, in autocommit. */
  void run(String... batches);

  /** Rows of a query, values as the driver's getObject gives them. */
  List<List<Object>> query(String sql);

  /**
   * Waits until every change committed so far stands in its change table and max LSN has reached
   * it.
   */
  void awaitCapture();

  /** A new login of the server, known here as this user; without any right. */
  TestLogin createLogin(String user);

  /** {@code url}, {@code user} and {@code password} as options of the formats. */
  default Map<String, String> options() {
    return Map.of("url", url(), "user", user(), "password", password());
  }

  /** Drops the database and the logins made for it. */
  @Override
  void close();
}
