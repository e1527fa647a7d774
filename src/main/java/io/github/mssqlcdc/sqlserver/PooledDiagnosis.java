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

  private Optional<Boolean> ask(Batch question) {
    try (Lease lease = pool.borrow();
        PreparedStatement statement = question.prepare(lease.connection())) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      ResultSet row = new Results(statement).nextRow();
      boolean answer = row.getBoolean(1);
      return row.wasNull() ? Optional.empty() : Optional.of(answer);
    } catch (SQLException e) {
      LOG.debug("Cause of a failure stays unknown: the question failed, too", e);
      return Optional.empty();
    }
  }
}
