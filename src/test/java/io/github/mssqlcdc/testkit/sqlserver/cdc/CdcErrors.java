package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;

/**
 * Errors of CDC with the numbers, severities and texts of the documentation. States are inferred: 1
 * but for the functions' 313 and 229.
 */
final class CdcErrors {
  private static final String CHANGES_FUNCTION = "fn_cdc_get_all_changes_...";

  private CdcErrors() {}

  static SqlServerError error(int number, String text, Object... values) {
    return new SqlServerError(number, 16, 1, String.format(text, values));
  }

  static SqlServerError notEnabled(String database) {
    return error(
        22901,
        "The database '%s' is not enabled for Change Data Capture. Ensure that the correct database"
            + " context is set and retry the operation. To report on the databases enabled for"
            + " Change Data Capture, query the is_cdc_enabled column in the sys.databases catalog"
            + " view.",
        database);
  }

  static SqlServerError privileges(String privilege) {
    return error(
        22902,
        "Caller is not authorized to initiate the requested action. %s privileges are required.",
        privilege);
  }

  static SqlServerError dboRequired() {
    return error(
        22904,
        "Caller is not authorized to initiate the requested action. DBO privileges are required.");
  }

  static String alreadyEnabled(String database) {
    return String.format(
        "Database '%s' is already enabled for Change Data Capture. Ensure that the correct database"
            + " context is set, and retry the operation. To report on the databases enabled for"
            + " Change Data Capture, query the is_cdc_enabled column in the sys.databases catalog"
            + " view.",
        database);
  }

  static SqlServerError noTable(String schema, String table) {
    return error(
        22931,
        "Source table '%s.%s' does not exist in the current database. Ensure that the correct"
            + " database context is set. Specify a valid schema and table name for the database.",
        schema,
        table);
  }

  static SqlServerError notTracked(String schema, String table) {
    return error(
        22985,
        "Change data capture has not been enabled for source table '%s.%s'. Specify the name of a"
            + " table enabled for Change Data Capture. To report on the tables enabled for Change"
            + " Data Capture, query the is_tracked_by_cdc column in the sys.tables catalog view.",
        schema,
        table);
  }

  static SqlServerError notOfTable(String instance, String schema, String table) {
    return error(
        22960,
        "Change data capture instance '%s' has not been enabled for the source table '%s.%s'. Use"
            + " sys.sp_cdc_help_change_data_capture to verify the capture instance name and retry"
            + " the operation.",
        instance,
        schema,
        table);
  }

  static SqlServerError unknownInstance(String instance, String database) {
    return error(
        22920, "The named capture instance %s does not exist for database %s.", instance, database);
  }

  static SqlServerError bothOrNeither() {
    return error(
        22972,
        "When calling stored procedure [sys].sp_cdc_help_change_data capture, if either"
            + " @source_schema or @source_name is non-null and non-empty, the other parameter must"
            + " also be non-null and non-empty.");
  }

  static SqlServerError denied() {
    return error(22981, "Object does not exist or access is denied.");
  }

  static SqlServerError emptyParameter(String name) {
    return error(
        22963,
        "Parameter '%s' cannot be null or empty. Specify a value for the named parameter and retry"
            + " the operation.",
        name);
  }

  static SqlServerError missingParameter(String procedure, String parameter) {
    return new SqlServerError(
        201,
        16,
        4,
        String.format(
            "Procedure or function '%s' expects parameter '%s', which was not supplied.",
            procedure.substring(procedure.indexOf('.') + 1), parameter));
  }

  static SqlServerError badThreshold() {
    return error(
        22850,
        "The threshold value specified for the Change Data Capture cleanup process must be greater"
            + " than 0. When creating or modifying the cleanup job, specify a positive threshold"
            + " value. If this error is encountered when executing the"
            + " sys.sp_cdc_cleanup_change_table stored procedure, reset the threshold value"
            + " associated with the job to a non-negative value by using the sp_cdc_change_job"
            + " stored procedure.");
  }

  static SqlServerError badLowWaterMark(String lsn) {
    return error(
        22964,
        "LSN %s, specified as the new low end point for change table cleanup must represent the"
            + " start_lsn value of a current entry in the cdc.lsn_time_mapping table. Choose an LSN"
            + " value that satisfies this requirement.",
        lsn);
  }

  static SqlServerError badRange() {
    return new SqlServerError(
        313,
        16,
        3,
        "An insufficient number of arguments were supplied for the procedure or function"
            + " cdc.fn_cdc_get_all_changes_ ... .");
  }

  static SqlServerError noChangesFunction(String instance) {
    return error(208, "Invalid object name 'cdc.fn_cdc_get_all_changes_%s'.", instance);
  }

  static SqlServerError functionDenied(String database) {
    return new SqlServerError(
        229,
        14,
        5,
        String.format(
            "The SELECT permission was denied on the object '%s', database '%s', schema 'cdc'.",
            CHANGES_FUNCTION, database));
  }
}
