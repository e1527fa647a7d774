package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.SystemView;
import io.github.mssqlcdc.testkit.sqlserver.tsql.TSql;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs a session's requests, each in variables of its own. */
final class RequestRunner {
  private final Session session;

  RequestRunner(Session session) {
    this.session = session;
  }

  void run(Request request, Replies out) {
    try {
      if (request instanceof Request.Batch batch) {
        runText(batch.sql(), new Variables(session.engine().databases().names()), out);
      } else if (request instanceof Request.Parameterized call) {
        runParameterized(call, out);
      } else if (request instanceof Request.Procedure call) {
        runProcedure(call, out);
      }
    } catch (Cancelled e) {
      leaveQuietly();
      return;
    } catch (SqlServerError e) {
      out.error(e);
    }
    out.end();
  }

  private void leaveQuietly() {
    try {
      session.transactions().leave(false);
    } catch (SqlServerError e) {
      throw new IllegalStateException(e);
    }
  }

  private void runText(String sql, Variables variables, ResponseSink out) throws SqlServerError {
    new Interpreter(session, variables, out).batch(TSql.parse(sql));
  }

  /** SET options and USE in it end with it. */
  private void runParameterized(Request.Parameterized call, Replies out) throws SqlServerError {
    Optional<SystemView> metadata = new DriverMetadata(session).answer(call);
    if (metadata.isPresent()) {
      CatalogProcedure.send(metadata.get(), out);
      return;
    }
    Variables variables = new Variables(session.engine().databases().names());
    for (Request.Parameter parameter : call.parameters()) {
      variables.declare(parameter.name(), parameter.type(), parameter.value());
    }
    isolated(() -> runText(call.sql(), variables, out), out);
    for (Request.Parameter parameter : call.parameters()) {
      if (parameter.output()) {
        Variables.Variable variable = variables.get(parameter.name());
        out.returnValue(parameter.name(), variable.type(), variable.value());
      }
    }
  }

  /** Something that may fail as SQL Server does. */
  interface Work {
    void run() throws SqlServerError;
  }

  /** Restores what SET and USE have changed. */
  void isolated(Work work, ResponseSink out) throws SqlServerError {
    SessionOptions options = session.options();
    Database database = session.current();
    try {
      work.run();
    } finally {
      boolean implicit = session.options().implicitTransactions();
      session.setOptions(options.withImplicitTransactions(implicit));
      if (session.current() != database) {
        session.enter(database);
        out.databaseChanged(database.name());
      }
    }
  }

  private void runProcedure(Request.Procedure call, Replies out) throws SqlServerError {
    List<ProcedureRunner.Argument> arguments = new ArrayList<>();
    for (Request.Parameter parameter : call.arguments()) {
      String name = parameter.name().isEmpty() ? null : parameter.name();
      arguments.add(new ProcedureRunner.Argument(name, parameter.value()));
    }
    ProcedureRunner procedures = new ProcedureRunner(session, out);
    out.returnStatus(procedures.call(TSql.parseName(call.name()), arguments));
  }
}
