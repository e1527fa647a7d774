package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import java.util.List;

/** {@code sys.sp_cdc_help_jobs}: there are jobs as long as there is an instance. */
final class HelpJobs extends CdcProcedure {
  private static final List<Column> COLUMNS =
      List.of(
          new Column("job_id", Types.GUID, false),
          new Column("job_type", DataType.of(SqlTypeName.NVARCHAR, 20), false),
          new Column("maxtrans", Types.INT, true),
          new Column("maxscans", Types.INT, true),
          new Column("continuous", Types.BIT, true),
          new Column("pollinginterval", Types.BIGINT, true),
          new Column("retention", Types.BIGINT, true),
          new Column("threshold", Types.BIGINT, true));

  HelpJobs(CdcDatabase database) {
    super(database, "sp_cdc_help_jobs");
  }

  @Override
  int run(SessionContext session, Arguments arguments, ResponseSink out) throws SqlServerError {
    requireOwner(session);
    ResultSet result = new ResultSet(out, COLUMNS);
    if (!database().instances().all().isEmpty()) {
      Jobs jobs = database().jobs();
      Jobs.Capture capture = jobs.capture();
      Jobs.CleanupJob cleanup = jobs.cleanup();
      result.row(
          jobs.captureId(),
          "capture",
          capture.maxTransactions(),
          capture.maxScans(),
          capture.continuous(),
          capture.pollingSeconds(),
          0L,
          0L);
      result.row(
          jobs.cleanupId(),
          "cleanup",
          0,
          0,
          false,
          0L,
          cleanup.retentionMinutes(),
          (long) cleanup.threshold());
    }
    result.end();
    return 0;
  }
}
