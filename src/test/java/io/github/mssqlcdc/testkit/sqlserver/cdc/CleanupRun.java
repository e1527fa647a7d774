package io.github.mssqlcdc.testkit.sqlserver.cdc;

import java.time.Duration;

/** One run of the cleanup job, to be stopped between its steps. Call them in the order given. */
public final class CleanupRun {
  private final CdcDatabase database;
  private final Duration retention;

  CleanupRun(CdcDatabase database, Duration retention) {
    this.database = database;
    this.retention = retention;
  }

  /** First: the low marks of all instances move; rows below them are still there. */
  public void moveWatermarks() {
    database.cleanup(cleanup -> cleanup.moveMarks(retention));
  }

  /** Second: rows below the marks go, batch by batch. */
  public void deleteChanges() {
    database.cleanup(cleanup -> cleanup.deleteChanges(database.jobs().cleanup().threshold()));
  }

  /** Third: the LSN map loses what lies below the lowest mark. */
  public void trimMap() {
    database.cleanup(Cleanup::trimMap);
  }

  public void all() {
    moveWatermarks();
    deleteChanges();
    trimMap();
  }
}
