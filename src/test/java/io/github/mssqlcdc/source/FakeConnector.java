package io.github.mssqlcdc.source;

import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.source.row.Connector;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;

/** Finds a fake by its capture instance's name. */
record FakeConnector(String name) implements Connector {
  @Override
  public SqlServer connect() {
    return JvmRegistry.find(FakeSqlServer.class, name).orElseThrow();
  }
}
