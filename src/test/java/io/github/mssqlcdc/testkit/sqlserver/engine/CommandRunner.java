package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink.StatementKind;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Statement;
import io.github.mssqlcdc.testkit.sqlserver.tsql.TSql;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs SET, transaction statements, EXEC, PRINT, RAISERROR, THROW, WAITFOR and USE. */
final class CommandRunner {
  /** With a fraction: most waits are shorter than a second. */
  private static final DataType DELAY = new DataType(SqlTypeName.TIME, 0, 0, 7, null);

  private static final long POLL_MS = 10;

  private final Session session;
  private final Interpreter interpreter;
  private final ResponseSink out;

  CommandRunner(Session session, Interpreter interpreter, ResponseSink out) {
    this.session = session;
    this.interpreter = interpreter;
    this.out = out;
  }

  void run(Statement statement) throws SqlServerError {
    if (statement instanceof Statement.Execute execute) {
      execute(execute);
      return;
    }
    if (statement instanceof Statement.ExecuteText execute) {
      executeText(interpreter.text(execute.text()));
      return;
    }
    if (statement instanceof Statement.Throw || statement instanceof Statement.RaiseError) {
      raise(statement);
    } else if (statement instanceof Statement.Print print) {
      out.info(0, interpreter.text(print.message()));
    } else if (statement instanceof Statement.WaitFor wait) {
      waitFor((LocalTime) interpreter.value(wait.delay(), DELAY));
    } else if (statement instanceof Statement.Reconfigure) {
      session.engine().configuration().apply();
    } else if (statement instanceof Statement.Use use) {
      use(use.database());
    } else {
      set(statement);
    }
    out.done(StatementKind.OTHER, -1);
  }

  private void set(Statement statement) throws SqlServerError {
    Transactions transactions = session.transactions();
    if (statement instanceof Statement.SetOption option) {
      session.setOptions(changed(session.options(), option));
    } else if (statement instanceof Statement.SetIsolation isolation) {
      session.setOptions(session.options().withIsolation(isolation.level()));
    } else if (statement instanceof Statement.SetIdentityInsert identity) {
      String schema = identity.table().size() == 1 ? "dbo." : "";
      String table = schema + String.join(".", identity.table());
      session.setIdentityInsert(identity.on() ? table : "");
    } else if (statement instanceof Statement.BeginTransaction) {
      transactions.begin(out);
    } else if (statement instanceof Statement.Commit) {
      transactions.commit(out);
    } else if (statement instanceof Statement.Rollback rollback) {
      transactions.rollback(rollback.name(), out);
    } else if (statement instanceof Statement.Save save) {
      transactions.save(save.name());
    } else {
      throw new IllegalStateException("Unknown statement " + statement);
    }
  }

  private static SessionOptions changed(SessionOptions options, Statement.SetOption option)
      throws SqlServerError {
    boolean on = option.value().equals("ON");
    return switch (option.option()) {
      case "NOCOUNT" -> options.withNoCount(on);
      case "XACT_ABORT" -> options.withXactAbort(on);
      case "IMPLICIT_TRANSACTIONS" -> options.withImplicitTransactions(on);
      case "LOCK_TIMEOUT" -> options.withLockTimeout(Integer.parseInt(option.value()));
      case "ROWCOUNT" -> options.withRowCount(Integer.parseInt(option.value()));
      case "QUOTED_IDENTIFIER", "ANSI_NULLS", "CONCAT_NULL_YIELDS_NULL", "ANSI_PADDING" -> {
        if (!on) {
          throw Errors.badSyntax("OFF");
        }
        yield options;
      }
      default -> options;
    };
  }

  private void use(String name) throws SqlServerError {
    if (session.engine().product().azure() && !name.equalsIgnoreCase(session.current().name())) {
      throw new SqlServerError(
          40508,
          16,
          1,
          "USE statement is not supported to switch between databases. Use a new connection to"
              + " connect to a different database.");
    }
    Database database =
        session
            .engine()
            .databases()
            .find(name)
            .orElseThrow(
                () ->
                    new SqlServerError(
                        911,
                        16,
                        1,
                        "Database '"
                            + name
                            + "' does not exist. Make sure that the name is entered correctly."));
    requireAccess(session, database);
    session.enter(database);
    out.databaseChanged(database.name());
  }

  /**
   * @throws SqlServerError 916 if the login is no user there
   */
  static void requireAccess(Session session, Database database) throws SqlServerError {
    boolean may =
        session
            .engine()
            .logins()
            .find(session.login())
            .filter(login -> SqlServerEngine.mayEnter(login, database))
            .isPresent();
    if (!may) {
      throw new SqlServerError(
          916,
          14,
          1,
          "The server principal \""
              + session.login()
              + "\" is not able to access the database \""
              + database.name()
              + "\" under the current security context.");
    }
  }

  private void execute(Statement.Execute execute) throws SqlServerError {
    List<ProcedureRunner.Argument> arguments = new ArrayList<>();
    for (Statement.Argument argument : execute.arguments()) {
      if (argument.value() instanceof Expression.Default) {
        continue;
      }
      arguments.add(new ProcedureRunner.Argument(argument.name(), argument(argument.value())));
    }
    int status = new ProcedureRunner(session, out).call(execute.procedure(), arguments);
    if (execute.status() != null) {
      interpreter.variables().set(execute.status(), status);
    }
    out.returnStatus(status);
  }

  /** Values go to procedures in the class of their own type. */
  private @Nullable Object argument(Expression value) throws SqlServerError {
    if (value instanceof Expression.Variable variable) {
      return interpreter.variables().get(variable.name()).value();
    }
    if (value instanceof Expression.NumberLiteral number) {
      boolean whole = number.text().matches("-?\\d{1,9}");
      return whole
          ? interpreter.value(value, Types.INT)
          : interpreter.value(value, DataType.decimal(38, 10));
    }
    if (value instanceof Expression.BinaryLiteral) {
      return interpreter.value(value, DataType.of(SqlTypeName.VARBINARY, DataType.MAX));
    }
    return value instanceof Expression.NullLiteral
        ? null
        : interpreter.value(value, Types.NVARCHAR_MAX);
  }

  private void executeText(String sql) throws SqlServerError {
    RequestRunner runner = new RequestRunner(session);
    runner.isolated(
        () ->
            new Interpreter(session, new Variables(session.engine().databases().names()), out)
                .batch(TSql.parse(sql)),
        out);
  }

  private void raise(Statement statement) throws SqlServerError {
    if (statement instanceof Statement.Throw thrown) {
      throwError(thrown);
      return;
    }
    Statement.RaiseError raised = (Statement.RaiseError) statement;
    String message = interpreter.text(raised.message());
    List<@Nullable Object> arguments = new ArrayList<>();
    for (Expression argument : raised.arguments()) {
      arguments.add(argument(argument));
    }
    int severity = number(raised.severity());
    String text = String.format(message.replaceAll("%[-+0#]*[di]", "%s"), arguments.toArray());
    if (severity <= 10) {
      out.info(50000, text);
    } else {
      throw new SqlServerError(50000, Math.min(severity, 18), number(raised.state()), text);
    }
  }

  private int number(Expression expression) throws SqlServerError {
    return (Integer) java.util.Objects.requireNonNull(interpreter.value(expression, Types.INT));
  }

  private void throwError(Statement.Throw thrown) throws SqlServerError {
    if (thrown.number() == null || thrown.message() == null || thrown.state() == null) {
      SqlServerError caught = interpreter.caught();
      throw caught != null
          ? caught
          : new SqlServerError(
              10704,
              15,
              1,
              "To rethrow an error, a THROW statement must be used inside a CATCH" + " block.");
    }
    throw new SqlServerError(
        number(thrown.number()), 16, number(thrown.state()), interpreter.text(thrown.message()));
  }

  /** In real time, whatever clock the server has. */
  private void waitFor(@Nullable LocalTime delay) throws SqlServerError {
    long end = System.nanoTime() + (delay == null ? 0 : delay.toNanoOfDay());
    try {
      while (System.nanoTime() < end) {
        session.checkCancelled();
        TimeUnit.MILLISECONDS.sleep(POLL_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Cancelled();
    }
  }
}
