/** The seam between the TDS server and the engine behind it. */
package io.github.mssqlcdc.testkit.sqlserver.backend;
