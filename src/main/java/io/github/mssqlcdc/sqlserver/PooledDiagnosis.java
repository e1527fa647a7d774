package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.ConnectionPool;
import io.github.mssqlcdc.connection.Lease;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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

  private interface Answer<T> {
    @Nullable T read(Results results) throws SQLException;
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
  public List<String> deniedColumns(String quotedName) {
    Batch question =
        Batch.of("SELECT c.name FROM sys.columns AS c WHERE c.object_id = OBJECT_ID(?)", quotedName)
            .add(
                "AND HAS_PERMS_BY_NAME(?, N'OBJECT', N'SELECT', c.name, N'COLUMN') = 0", quotedName)
            .add("ORDER BY c.column_id;");
    return answer(question, PooledDiagnosis::names).orElse(List.of());
  }

  @Override
  public Optional<String> user() {
    return ask(Batch.of("SELECT CURRENT_USER AS user_name;"), row -> row.getString(1));
  }

  private Optional<Boolean> ask(Batch question) {
    return ask(question, row -> row.getBoolean(1));
  }

  private <T> Optional<T> ask(Batch question, Value<T> value) {
    return answer(
        question,
        results -> {
          ResultSet row = results.nextRow();
          T answer = value.read(row);
          return row.wasNull() ? null : answer;
        });
  }

  private static List<String> names(Results results) throws SQLException {
    List<String> names = new ArrayList<>();
    ResultSet row = results.next();
    while (row.next()) {
      names.add(row.getString(1));
    }
    return names;
  }

  private <T> Optional<T> answer(Batch question, Answer<T> answer) {
    try (Lease lease = pool.borrow();
        PreparedStatement statement = question.prepare(lease.connection())) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      return Optional.ofNullable(answer.read(new Results(statement)));
    } catch (SQLException e) {
      LOG.debug("Cause of a failure stays unknown: the question failed, too", e);
      return Optional.empty();
    }
  }
}
