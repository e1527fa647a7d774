package io.github.mssqlcdc.testkit.sqlserver.engine.value;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;

/** The errors of SQL Server that several parts raise. */
public final class Errors {
  private Errors() {}

  public static SqlServerError overflow(String type) {
    return new SqlServerError(
        8115, 16, 2, "Arithmetic overflow error converting expression to data type " + type + ".");
  }

  public static SqlServerError conversion(String from, String value, String to) {
    return new SqlServerError(
        245,
        16,
        1,
        "Conversion failed when converting the "
            + from
            + " value '"
            + value
            + "' to data type "
            + to
            + ".");
  }

  public static SqlServerError noConversion(String from, String to) {
    return new SqlServerError(
        8114, 16, 5, "Error converting data type " + from + " to " + to + ".");
  }

  public static SqlServerError clash(String from, String to) {
    return new SqlServerError(
        206, 16, 2, "Operand type clash: " + from + " is incompatible with " + to);
  }

  public static SqlServerError badDate() {
    return new SqlServerError(
        241, 16, 1, "Conversion failed when converting date and/or time from character string.");
  }

  public static SqlServerError unknownFunction(String name) {
    return new SqlServerError(
        195, 15, 10, "'" + name + "' is not a recognized built-in function name.");
  }

  public static SqlServerError unknownObject(String name) {
    return new SqlServerError(208, 16, 1, "Invalid object name '" + name + "'.");
  }

  public static SqlServerError unknownColumn(String name) {
    return new SqlServerError(207, 16, 1, "Invalid column name '" + name + "'.");
  }

  public static SqlServerError badSyntax(String near) {
    return new SqlServerError(102, 15, 1, "Incorrect syntax near '" + near + "'.");
  }
}
