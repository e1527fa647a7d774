package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.ConnectionPool;
import io.github.mssqlcdc.connection.Lease;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the server itself, once, on a connection of its own. */
final class PooledDiagnosis implements ErrorTranslator.Diagnosis {
  private static final Logger LOG = LoggerFactory.getLogger(PooledDiagnosis.class);
  private static final int TIMEOUT_SECONDS = 10;

  private final ConnectionPool pool;

  /** Reads the answer from its only row. */
  private interface Value<T> {
    T read(ResultSet row) throws SQLException;
  }

  PooledDiagnosis(ConnectionPool pool) {
    this.pool = pool;
  }

  @Override
  public Optional<Boolean> isCdcEnabled() {
    return ask(Batch.of("SELECT is_cdc_enabled FROM sys.databases WHERE name = DB_NAME();"));
  }

  @Override
  public Optional<Boolean> maySelect(String quotedName) {
    return ask(Batch.of("SELECT HAS_PERMS_BY_NAME(?, N'OBJECT', N'SELECT');", quotedName));
  }

  @Override
  public Optional<String> user() {
    return ask(Batch.of("SELECT CURRENT_USER AS user_name;"), row -> row.getString(1));
  }

  private Optional<Boolean> ask(Batch question) {
    return ask(question, row -> row.getBoolean(1));
  }

  private <T> Optional<T> ask(Batch question, Value<T> value) {
    try (Lease lease = pool.borrow();
        PreparedStatement statement = question.prepare(lease.connection())) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      ResultSet row = new Results(statement).nextRow();
      T answer = value.read(row);
      return row.wasNull() ? Optional.empty() : Optional.of(answer);
    } catch (SQLException e) {
      LOG.debug("Cause of a failure stays unknown: the question failed, too", e);
      return Optional.empty();
    }
  }
}
