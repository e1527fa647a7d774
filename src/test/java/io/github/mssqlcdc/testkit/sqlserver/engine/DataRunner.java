package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink.StatementKind;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.H2Statement;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.Output;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.Translator;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Conversions;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Condition;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Statement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs what reads or changes rows. */
final class DataRunner {
  private final Session session;
  private final Variables variables;
  private final ResponseSink out;
  private final StorageRunner storage;

  DataRunner(Session session, Variables variables, ResponseSink out) {
    this.session = session;
    this.variables = variables;
    this.out = out;
    this.storage = new StorageRunner(session, out);
  }

  private Translator translator() {
    return new Translator(new SessionEnvironment(session, variables));
  }

  void run(Statement.Data statement) throws SqlServerError {
    if (statement instanceof Statement.Select select) {
      select(translator().query(select.query()));
    } else if (statement instanceof Statement.Insert insert) {
      Table table = translator().table(insert.table());
      boolean identity =
          session.identityInsert().equalsIgnoreCase(table.schema() + "." + table.name());
      change(StatementKind.INSERT, table, translator().insert(insert, identity));
    } else if (statement instanceof Statement.Update update) {
      Table table = translator().table(update.table());
      change(StatementKind.UPDATE, table, translator().update(update));
    } else if (statement instanceof Statement.Delete delete) {
      Table table = translator().table(delete.table());
      change(StatementKind.DELETE, table, translator().delete(delete));
    } else if (statement instanceof Statement.Truncate truncate) {
      truncate(translator().table(truncate.table()));
    }
  }

  private void select(H2Statement statement) throws SqlServerError {
    long count =
        storage.query(
            statement,
            rows -> statement.assigns() ? assign(statement, rows) : send(statement, rows));
    finished(StatementKind.SELECT, count);
  }

  private void finished(StatementKind kind, long count) {
    session.setRowCount(count);
    out.done(kind, session.options().noCount() ? -1 : count);
  }

  private long send(H2Statement statement, ResultSet rows) throws SQLException {
    List<Column> columns = new ArrayList<>();
    for (Output column : statement.columns()) {
      columns.add(new Column(column.name(), column.type(), column.nullable()));
    }
    out.columns(columns);
    int width = columns.size();
    int most = session.options().rowCount();
    long count = 0;
    while ((most == 0 || count < most) && rows.next()) {
      @Nullable Object[] row = new @Nullable Object[width];
      for (int i = 0; i < width; i++) {
        row[i] = RowReader.read(rows, i + 1, columns.get(i).type());
      }
      count++;
      if (!out.row(row)) {
        throw new Cancelled();
      }
    }
    return count;
  }

  /** The last row's values stay. */
  private long assign(H2Statement statement, ResultSet rows) throws SQLException, SqlServerError {
    long count = 0;
    while (rows.next()) {
      count++;
      for (int i = 0; i < statement.columns().size(); i++) {
        Output column = statement.columns().get(i);
        String variable = String.valueOf(column.variable());
        Object value = RowReader.read(rows, i + 1, column.type());
        DataType type = variables.get(variable).type();
        variables.set(variable, Conversions.convert(value, column.type(), type, 0));
      }
    }
    return count;
  }

  private void change(StatementKind kind, Table table, H2Statement statement)
      throws SqlServerError {
    finished(kind, storage.change(table, statement));
  }

  private void truncate(Table table) throws SqlServerError {
    SessionEnvironment environment = new SessionEnvironment(session, variables);
    environment.require("ALTER", table, List.of());
    boolean tracked =
        session.current().extension().map(e -> e.tracks(table.objectId())).orElse(false);
    if (tracked) {
      throw new SqlServerError(
          4711,
          16,
          1,
          "Cannot truncate table '"
              + table.name()
              + "' because it is published for replication or enabled for Change Data Capture.");
    }
    storage.define(List.of(TableStore.truncate(table)));
    out.done(StatementKind.OTHER, -1);
  }

  boolean holds(Condition condition) throws SqlServerError {
    Object value = single(translator().condition(condition));
    return Integer.valueOf(1).equals(value);
  }

  @Nullable Object value(Expression expression, DataType type) throws SqlServerError {
    return single(translator().value(expression, type));
  }

  private @Nullable Object single(H2Statement statement) throws SqlServerError {
    @Nullable Object[] found = new @Nullable Object[1];
    storage.query(
        statement,
        rows -> {
          rows.next();
          found[0] = RowReader.read(rows, 1, statement.columns().get(0).type());
          return 1;
        });
    return found[0];
  }
}
