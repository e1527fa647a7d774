package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;

/** {@code sys.sp_cdc_disable_db}: for sysadmin; takes all instances with it. */
final class DisableDb extends CdcProcedure {

  DisableDb(CdcDatabase database) {
    super(database, "sp_cdc_disable_db");
  }

  @Override
  int run(SessionContext session, Arguments arguments, ResponseSink out) throws SqlServerError {
    if (!session.isSysadmin()) {
      throw CdcErrors.privileges("sysadmin");
    }
    database().requireEnabled();
    database().disable();
    return 0;
  }
}
