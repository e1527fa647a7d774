package io.github.mssqlcdc.testkit.sqlserver.replay;

import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;
import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An engine with replayed tables in front of it. Thread-safe. */
final class ReplayBackend implements Backend {
  private final Backend engine;
  private final List<Replayed> tables = new CopyOnWriteArrayList<>();

  ReplayBackend(Backend engine) {
    this.engine = engine;
  }

  /** From now on the table is replayed. */
  void add(Replayed table) {
    tables.add(table);
  }

  @Override
  public BackendSession login(Login login) throws SqlServerError {
    return new ReplaySession(engine.login(login), tables);
  }

  @Override
  public int majorVersion() {
    return engine.majorVersion();
  }
}
