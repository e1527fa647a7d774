package io.github.mssqlcdc.testkit.sqlserver.replay;

import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.List;

/** A session of the engine that reads replayed tables, too. */
record ReplaySession(BackendSession engine, List<Replayed> tables) implements BackendSession {

  @Override
  public void execute(Request request, ResponseSink sink) {
    ReplayPlan plan;
    try {
      plan = plan(request);
    } catch (SqlServerError e) {
      sink.error(e);
      return;
    }
    engine.execute(request, plan.isEmpty() ? sink : new ReplaySink(sink, plan));
  }

  private ReplayPlan plan(Request request) throws SqlServerError {
    if (request instanceof Request.Parameterized call) {
      return ReplayPlan.of(call.sql(), call.parameters(), tables);
    }
    return ReplayPlan.of(
        request instanceof Request.Batch batch ? batch.sql() : "", List.of(), tables);
  }

  @Override
  public String database() {
    return engine.database();
  }

  @Override
  public String collation() {
    return engine.collation();
  }

  @Override
  public int spid() {
    return engine.spid();
  }

  @Override
  public void cancel() {
    engine.cancel();
  }

  @Override
  public void close() {
    engine.close();
  }
}
