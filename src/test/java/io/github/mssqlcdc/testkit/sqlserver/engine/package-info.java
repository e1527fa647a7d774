/** The engine behind the TDS server: catalogue, sessions, transactions and H2 as storage. */
package io.github.mssqlcdc.testkit.sqlserver.engine;
