package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Change Data Capture of one database: install it when the database is created; its procedures then
 * enable and use it. Thread-safe. Call the notifications ({@link #tableAltered}, {@link
 * #tableDropped}) without holding the lock under which commits are announced.
 */
public final class CdcEngine {
  private final CdcDatabase database;
  private final CdcFunctions functions;

  private CdcEngine(CdcDatabase database) {
    this.database = database;
    this.functions =
        new CdcFunctions(database, database.instances(), database.metadata(), database.map());
  }

  /** Registers the procedures with the database; CDC itself stays off. */
  public static CdcEngine install(DatabaseStore store, CdcSettings settings) {
    CdcDatabase database = new CdcDatabase(store, settings);
    procedures(database).forEach(store::register);
    return new CdcEngine(database);
  }

  private static List<CdcProcedure> procedures(CdcDatabase database) {
    return List.of(
        new EnableDb(database),
        new DisableDb(database),
        new EnableTable(database),
        new DisableTable(database),
        new HelpChangeDataCapture(database),
        new GetCapturedColumns(database),
        new GetDdlHistory(database),
        new CleanupChangeTable(database),
        new HelpJobs(database),
        new ChangeJob(database),
        new Scan(database));
  }

  /** As {@code is_cdc_enabled} of sys.databases. */
  public boolean enabled() {
    return database.enabled();
  }

  /** What {@code sys.sp_cdc_enable_db} does, without its permission check. */
  public void enableDatabase() {
    database.enable();
  }

  /** As {@code is_tracked_by_cdc} of sys.tables. */
  public boolean tracks(int tableId) {
    return !database.instances().ofTable(tableId).isEmpty();
  }

  public CdcFunctions functions() {
    return functions;
  }

  /**
   * What the capture job does at a poll: scans until all that was committed is captured; if there
   * was nothing, writes an idle entry when one is due.
   */
  public void capture() {
    int perScan = database.jobs().capture().maxTransactions();
    int captured = database.scan(perScan);
    if (captured == 0) {
      database.markIdle();
    }
    while (captured == perScan) {
      captured = database.scan(perScan);
    }
  }

  /**
   * A single scan, for tests that stop capture half way.
   *
   * @return how many log records were captured
   */
  public int capture(int maxTransactions) {
    return database.scan(maxTransactions);
  }

  /** A run of the cleanup job with the retention that {@code sp_cdc_change_job} has set. */
  public CleanupRun cleanup() {
    return cleanup(database.jobs().cleanup().retention());
  }

  public CleanupRun cleanup(Duration retention) {
    return new CleanupRun(database, retention);
  }

  /**
   * A table's columns were changed by this statement, just now.
   *
   * @param retyped the new types of columns that have another one now, by their ids
   */
  public void tableAltered(int tableId, String ddl, Map<Integer, DataType> retyped) {
    database.tableAltered(tableId, ddl, retyped);
  }

  /** A table is gone: its instances go too. */
  public void tableDropped(int tableId) {
    database.tableDropped(tableId);
  }
}
