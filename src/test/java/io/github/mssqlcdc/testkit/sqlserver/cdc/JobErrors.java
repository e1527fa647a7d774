package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;

/** Errors of the job procedures. */
final class JobErrors {

  private JobErrors() {}

  static SqlServerError maxScans() {
    return CdcErrors.error(
        22970,
        "The value for parameter @maxscans specified for the Change Data Capture job must be"
            + " greater than 0.");
  }

  static SqlServerError pollingInterval() {
    return CdcErrors.error(
        22990,
        "The value specified for the parameter @pollinginterval must be greater than or equal to 0"
            + " and less than 24 hours(Max: 86399 seconds). Specify a polling interval (in seconds)"
            + " that is less than 24 hours (86,400 seconds).");
  }

  static SqlServerError maxTransactions() {
    return CdcErrors.error(
        22991, "The value specified for the parameter @maxtrans must be greater than 0.");
  }

  static SqlServerError unknownType(String type) {
    return CdcErrors.error(
        22992,
        "The specified @job_type, %s, is not supported. The value specified for the parameter"
            + " @job_type must be N'capture' to indicate a capture job, or N'cleanup' to indicate a"
            + " cleanup job.",
        type);
  }

  static SqlServerError retention() {
    return CdcErrors.error(
        22994,
        "The retention value specified for the Change Data Capture cleanup process must be greater"
            + " than 0 and less than or equal to 52594800. When creating or modifying the cleanup"
            + " job, specify a retention value (in minutes) that is within that range. If this"
            + " error is encountered when executing the sys.sp_cdc_cleanup_change_table stored"
            + " procedure, reset the retention value associated with the job to a non-negative"
            + " value less than 52594800 by using the sp_cdc_change_job stored procedure.");
  }

  static SqlServerError retentionOfCapture() {
    return CdcErrors.error(
        22995,
        "A value for the parameter @retention cannot be specified when the job type is 'capture'."
            + " Specify NULL for the parameter, or omit the parameter from the statement.");
  }

  static SqlServerError captureSettingOfCleanup() {
    return CdcErrors.error(
        22996,
        "When adding or modifying the CDC cleanup job, @pollinginterval, @maxtrans, @maxscans, and"
            + " @continuous may not be assigned non-null values.");
  }

  static SqlServerError noJob(String type) {
    return CdcErrors.error(
        22997,
        "The Change Data Capture '%s' job does not exist in the system table 'msdb.dbo.cdc_jobs'."
            + " Use the stored procedure 'sys.sp_cdc_add_job' to add the Change Data Capture job.",
        type);
  }
}
