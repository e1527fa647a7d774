package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;

/** {@code sys.sp_cdc_scan}, without its continuous mode: up to {@code @maxscans} scans, now. */
final class Scan extends CdcProcedure {
  private static final int DEFAULT_TRANSACTIONS = 500;
  private static final int DEFAULT_SCANS = 10;

  Scan(CdcDatabase database) {
    super(database, "sp_cdc_scan", "@maxtrans", "@maxscans", "@continuous", "@pollinginterval");
  }

  @Override
  int run(SessionContext session, Arguments arguments, ResponseSink out) throws SqlServerError {
    requireOwner(session);
    Long transactions = arguments.number("@maxtrans");
    Long scans = arguments.number("@maxscans");
    int perScan = transactions == null ? DEFAULT_TRANSACTIONS : Math.toIntExact(transactions);
    int left = scans == null ? DEFAULT_SCANS : Math.toIntExact(scans);
    if (perScan <= 0) {
      throw JobErrors.maxTransactions();
    }
    if (left <= 0) {
      throw JobErrors.maxScans();
    }
    int captured = 0;
    while (left > 0 && database().scan(perScan) > 0) {
      captured++;
      left--;
    }
    if (captured == 0) {
      database().markIdle();
    }
    return 0;
  }
}
