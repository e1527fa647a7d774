package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import org.jspecify.annotations.Nullable;

/**
 * {@code sys.sp_cdc_change_job}. NULL leaves a setting as it is. The stand-in's jobs run step by
 * step, so a change holds from the next step on.
 */
final class ChangeJob extends CdcProcedure {
  private static final long MAX_RETENTION = 52_594_800L;
  private static final long MAX_POLLING = 86_399L;

  ChangeJob(CdcDatabase database) {
    super(
        database,
        "sp_cdc_change_job",
        "@job_type",
        "@maxtrans",
        "@maxscans",
        "@continuous",
        "@pollinginterval",
        "@retention",
        "@threshold");
  }

  @Override
  int run(SessionContext session, Arguments arguments, ResponseSink out) throws SqlServerError {
    requireOwner(session);
    String given = arguments.text("@job_type");
    String type = given == null ? "capture" : given;
    if (!type.equalsIgnoreCase("capture") && !type.equalsIgnoreCase("cleanup")) {
      throw JobErrors.unknownType(type);
    }
    if (database().instances().all().isEmpty()) {
      throw JobErrors.noJob(type);
    }
    if (type.equalsIgnoreCase("capture")) {
      changeCapture(arguments);
    } else {
      changeCleanup(arguments);
    }
    return 0;
  }

  private void changeCapture(Arguments arguments) throws SqlServerError {
    if (arguments.number("@retention") != null) {
      throw JobErrors.retentionOfCapture();
    }
    Jobs.Capture old = database().jobs().capture();
    long transactions = or(arguments.number("@maxtrans"), old.maxTransactions());
    long scans = or(arguments.number("@maxscans"), old.maxScans());
    Long askedPolling = arguments.number("@pollinginterval");
    long polling = or(askedPolling, old.pollingSeconds());
    if (transactions <= 0) {
      throw JobErrors.maxTransactions();
    }
    if (scans <= 0) {
      throw JobErrors.maxScans();
    }
    if (polling < 0 || polling > MAX_POLLING) {
      throw JobErrors.pollingInterval();
    }
    Boolean continuous = arguments.bit("@continuous");
    boolean runsOn = continuous == null ? old.continuous() || polling > 0 : continuous;
    database()
        .jobs()
        .set(new Jobs.Capture((int) transactions, (int) scans, runsOn, runsOn ? polling : 0));
  }

  private void changeCleanup(Arguments arguments) throws SqlServerError {
    for (String ofCapture :
        new String[] {"@maxtrans", "@maxscans", "@continuous", "@pollinginterval"}) {
      if (arguments.number(ofCapture) != null) {
        throw JobErrors.captureSettingOfCleanup();
      }
    }
    Jobs.CleanupJob old = database().jobs().cleanup();
    long retention = or(arguments.number("@retention"), old.retentionMinutes());
    long threshold = or(arguments.number("@threshold"), old.threshold());
    if (retention <= 0 || retention > MAX_RETENTION) {
      throw JobErrors.retention();
    }
    if (threshold <= 0) {
      throw CdcErrors.badThreshold();
    }
    database().jobs().set(new Jobs.CleanupJob(retention, (int) threshold));
  }

  private static long or(@Nullable Long asked, long old) {
    return asked == null ? old : asked;
  }
}
