package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink.StatementKind;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Conversions;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Condition;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Definition;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Statement;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs the statements of one batch: flow, errors, and whom to hand the rest to. */
final class Interpreter {
  private final Session session;
  private final Variables variables;
  private final ResponseSink out;
  private final DataRunner data;
  private final CommandRunner commands;

  /** By identity: in a loop the same declaration comes again, and only assigns. */
  private final Set<Statement> declared = Collections.newSetFromMap(new IdentityHashMap<>());

  private int attempts;
  private @Nullable SqlServerError caught;

  Interpreter(Session session, Variables variables, ResponseSink out) {
    this.session = session;
    this.variables = variables;
    this.out = out;
    this.data = new DataRunner(session, variables, out);
    this.commands = new CommandRunner(session, this, out);
  }

  /** How a statement ended. */
  private enum Flow {
    NEXT,
    BREAK,
    CONTINUE,
    RETURN
  }

  Variables variables() {
    return variables;
  }

  void batch(List<Statement> statements) throws SqlServerError {
    all(statements);
  }

  private Flow all(List<Statement> statements) throws SqlServerError {
    for (Statement statement : statements) {
      Flow flow = guarded(statement);
      if (flow != Flow.NEXT) {
        return flow;
      }
    }
    return Flow.NEXT;
  }

  /** An error that ends only its statement is told, and the batch goes on. */
  private Flow guarded(Statement statement) throws SqlServerError {
    session.checkCancelled();
    if (isCompound(statement)) {
      return run(statement);
    }
    try {
      Flow flow = run(statement);
      session.setLastError(0);
      return flow;
    } catch (SqlServerError e) {
      session.transactions().leave(false);
      session.setLastError(e.number());
      if (e.severity() <= 10) {
        out.error(e);
        return Flow.NEXT;
      }
      boolean fatal = BatchErrors.endTransaction(e) || session.options().xactAbort();
      if (fatal) {
        session.transactions().abort(out);
      }
      boolean thrown = statement instanceof Statement.Throw;
      if (attempts > 0 || fatal || thrown || BatchErrors.endBatch(e)) {
        throw e;
      }
      out.error(e);
      return Flow.NEXT;
    }
  }

  private static boolean isCompound(Statement statement) {
    return statement instanceof Statement.Block
        || statement instanceof Statement.If
        || statement instanceof Statement.While
        || statement instanceof Statement.TryCatch;
  }

  private Flow run(Statement statement) throws SqlServerError {
    if (statement instanceof Statement.Block block) {
      return all(block.statements());
    }
    if (statement instanceof Statement.If choice) {
      if (holds(choice.condition())) {
        return guarded(choice.then());
      }
      return choice.otherwise() == null ? Flow.NEXT : guarded(choice.otherwise());
    }
    if (statement instanceof Statement.While loop) {
      return loop(loop);
    }
    if (statement instanceof Statement.TryCatch attempt) {
      return attempt(attempt);
    }
    if (statement instanceof Statement.Break) {
      return Flow.BREAK;
    }
    if (statement instanceof Statement.Continue) {
      return Flow.CONTINUE;
    }
    if (statement instanceof Statement.Return) {
      return Flow.RETURN;
    }
    simple(statement);
    return Flow.NEXT;
  }

  private Flow loop(Statement.While loop) throws SqlServerError {
    while (holds(loop.condition())) {
      Flow flow = guarded(loop.body());
      if (flow == Flow.BREAK) {
        break;
      }
      if (flow == Flow.RETURN) {
        return flow;
      }
    }
    return Flow.NEXT;
  }

  private Flow attempt(Statement.TryCatch attempt) throws SqlServerError {
    attempts++;
    try {
      Flow flow = all(attempt.body());
      attempts--;
      return flow;
    } catch (SqlServerError e) {
      attempts--;
      SqlServerError outer = caught;
      caught = e;
      try {
        return all(attempt.handler());
      } finally {
        caught = outer;
      }
    }
  }

  /** What THROW without arguments throws again; null outside of CATCH. */
  @Nullable SqlServerError caught() {
    return caught;
  }

  private void simple(Statement statement) throws SqlServerError {
    if (statement instanceof Statement.Data change) {
      data.run(change);
    } else if (statement instanceof Statement.Declare declare) {
      if (declared.add(declare)) {
        variables.declare(declare.variable(), declare.type(), null);
      }
      if (declare.initial() != null) {
        variables.set(declare.variable(), value(declare.initial(), declare.type()));
      }
    } else if (statement instanceof Statement.SetVariable set) {
      variables.set(set.variable(), value(set.value(), variables.get(set.variable()).type()));
    } else if (statement instanceof Definition definition) {
      new DefinitionRunner(session, variables, out).run(definition);
      out.done(StatementKind.OTHER, -1);
    } else {
      commands.run(statement);
    }
  }

  private boolean holds(Condition condition) throws SqlServerError {
    session.checkCancelled();
    return data.holds(condition);
  }

  /** A value in this type. */
  @Nullable Object value(Expression expression, DataType type) throws SqlServerError {
    if (expression instanceof Expression.Variable variable) {
      Variables.Variable known = variables.get(variable.name());
      return Conversions.convert(known.value(), known.type(), type, 0);
    }
    return data.value(expression, type);
  }

  String text(Expression expression) throws SqlServerError {
    return String.valueOf(value(expression, Types.NVARCHAR_MAX));
  }
}
