package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo;

/** Errors of {@code sys.sp_cdc_enable_table}. */
final class EnableTableErrors {

  private EnableTableErrors() {}

  static SqlServerError emptyRole() {
    return CdcErrors.error(
        22907,
        "Parameter @role_name cannot be empty. Specify a value for @role_name and retry the"
            + " operation. Supply null as the value if no role is to be used to gate access to"
            + " captured change data.");
  }

  static SqlServerError cdcSchema() {
    return CdcErrors.error(
        22974, "Tables contained in the cdc schema cannot be enabled for Change Data Capture.");
  }

  static SqlServerError twoInstances(TableInfo table) {
    return CdcErrors.error(
        22962,
        "Two capture instances already exist for source table '%s.%s'. A table can have at most two"
            + " capture instances. If the current tracking options are not appropriate, disable"
            + " change tracking for the obsolete instance by using sys.sp_cdc_disable_table and"
            + " retry the operation.",
        table.schema(),
        table.name());
  }

  static SqlServerError badName(String name) {
    return CdcErrors.error(
        22932,
        "Capture instance name '%s' is invalid. Specify a valid name. See the topic 'Identifiers'"
            + " in SQL Server Books Online for object name rules.",
        name);
  }

  static SqlServerError longName(String name) {
    return CdcErrors.error(
        22927,
        "Capture instance name '%s' exceeds the length limit of 100 characters. Specify a name that"
            + " satisfies the length constraint.",
        name);
  }

  static SqlServerError nameTaken(String name) {
    return CdcErrors.error(
        22926,
        "Could not create a capture instance because the capture instance name '%s' already exists"
            + " in the current database. Specify an explicit unique name for the parameter"
            + " @capture_instance.",
        name);
  }

  static SqlServerError noIndex(String index, TableInfo table) {
    return CdcErrors.error(
        22928,
        "Index name '%s' is not an index for table '%s.%s'. Specify a valid index name for the"
            + " table.",
        index,
        table.schema(),
        table.name());
  }

  static SqlServerError nullableKey(String index, TableInfo table) {
    return CdcErrors.error(
        22838,
        "All columns of a CDC unique index must be defined as NOT NULL. Index '%s' selected as the"
            + " CDC unique index for source table '%s.%s' does not meet this requirement. Define"
            + " all columns of the selected index as NOT NULL or select another unique index as the"
            + " CDC index and resubmit the request.",
        index,
        table.schema(),
        table.name());
  }

  static SqlServerError netWithoutKey() {
    return CdcErrors.error(
        22939,
        "The parameter @supports_net_changes is set to 1, but the source table does not have a"
            + " primary key defined and no alternate unique index has been specified.");
  }

  static SqlServerError keyNotCaptured() {
    return CdcErrors.error(
        22943,
        "Columns used to uniquely identify a row for net change tracking must be included in the"
            + " list of captured columns. Add either the primary key columns of the source table, or"
            + " the columns defined for the index specified in the parameter @index_name to the"
            + " list of captured columns and retry the operation.");
  }

  static SqlServerError longKey(String index, TableInfo table) {
    return CdcErrors.error(
        22865,
        "The number of columns in the index '%s', used as the unique row identifier to support net"
            + " changes for table '%s'.'%s', exceeds the limit of 14 columns. Set the parameter"
            + " @supports_net_changes to 0 or use the @index_name parameter to identify a unique"
            + " index with fewer than 15 columns as the unique row identifier and resubmit the"
            + " request.",
        index,
        table.schema(),
        table.name());
  }

  static SqlServerError noColumn(String column, TableInfo table) {
    return CdcErrors.error(
        22930,
        "Could not locate '%s' as a column of source table '%s.%s'. Specify a valid column name.",
        column,
        table.schema(),
        table.name());
  }

  static SqlServerError openQuote() {
    return CdcErrors.error(
        22965,
        "A quoted column in the column list is not properly terminated. Verify that columns are"
            + " correctly delimited and retry the operation. For more information, see 'Delimited"
            + " Identifiers' in Books Online.");
  }

  static SqlServerError reservedColumn(TableInfo table) {
    return CdcErrors.error(
        22975,
        "Source table '%s' contains one of the following reserved column names: __$start_lsn,"
            + " __$end_lsn, __$seqval, __$operation, and __$update_mask. To enable Change Data"
            + " Capture for this table, specify a captured column list and ensure that these"
            + " columns are excluded from the list.",
        table.name());
  }
}
