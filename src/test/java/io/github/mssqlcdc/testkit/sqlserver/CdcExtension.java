package io.github.mssqlcdc.testkit.sqlserver;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcEngine;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseExtension;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Change Data Capture of one database, joined to the engine. Thread-safe. */
final class CdcExtension implements DatabaseExtension {
  private final CdcEngine cdc;
  private boolean dropped;

  CdcExtension(CdcEngine cdc) {
    this.cdc = cdc;
  }

  CdcEngine cdc() {
    return cdc;
  }

  synchronized boolean dropped() {
    return dropped;
  }

  /** A poll of the capture job; nothing in a database that is gone or has no CDC. */
  synchronized void capture() {
    if (!dropped && cdc.enabled()) {
      cdc.capture();
    }
  }

  synchronized void cleanup(Duration retention) {
    if (!dropped && cdc.enabled()) {
      cdc.cleanup(retention).all();
    }
  }

  @Override
  public boolean enabled() {
    return cdc.enabled();
  }

  @Override
  public boolean tracks(int tableId) {
    return cdc.enabled() && cdc.tracks(tableId);
  }

  @Override
  public void tableAltered(int tableId, String ddl, Map<Integer, DataType> retyped) {
    cdc.tableAltered(tableId, ddl, retyped);
  }

  @Override
  public void tableDropped(int tableId) {
    if (cdc.enabled()) {
      cdc.tableDropped(tableId);
    }
  }

  @Override
  public synchronized void databaseDropped() {
    dropped = true;
  }

  @Override
  public Optional<String> changes(
      SessionContext session,
      String instance,
      byte @Nullable [] from,
      byte @Nullable [] to,
      @Nullable String option)
      throws SqlServerError {
    return Optional.of(cdc.functions().allChanges(session, instance, from, to, option));
  }
}
