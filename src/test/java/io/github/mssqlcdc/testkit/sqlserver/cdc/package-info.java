/**
 * Change Data Capture of the stand-in, as the documentation of SQL Server describes it: the log of
 * commits, the scan that writes change tables, the procedures and functions, and the cleanup. What
 * is inferred rather than documented or measured is listed in {@code docs/stand-in-cdc.md}.
 */
package io.github.mssqlcdc.testkit.sqlserver.cdc;
