/**
 * TDS 7.4 server (and 8.0 for {@code encrypt=strict}) over a {@link
 * io.github.mssqlcdc.testkit.sqlserver.backend.Backend}: packets, login, encryption, requests,
 * results, attention. It knows types and tokens but no SQL; {@link
 * io.github.mssqlcdc.testkit.sqlserver.tds.TdsServer} is the way in. Written after [MS-TDS] and
 * judged by Microsoft's JDBC driver; where the driver was the only judge, the Javadoc says
 * "inferred".
 */
package io.github.mssqlcdc.testkit.sqlserver.tds;
