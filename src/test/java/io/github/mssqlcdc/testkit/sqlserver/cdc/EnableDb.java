package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;

/** {@code sys.sp_cdc_enable_db}: for sysadmin; enabling twice is no error. */
final class EnableDb extends CdcProcedure {
  private static final int ALREADY_ENABLED = 22905;

  EnableDb(CdcDatabase database) {
    super(database, "sp_cdc_enable_db");
  }

  @Override
  int run(SessionContext session, Arguments arguments, ResponseSink out) throws SqlServerError {
    if (!session.isSysadmin()) {
      throw CdcErrors.privileges("sysadmin");
    }
    if (database().enable()) {
      return 0;
    }
    out.info(ALREADY_ENABLED, CdcErrors.alreadyEnabled(database().name()));
    return 1;
  }
}
