/** From parsed T-SQL to H2's SQL, with names resolved and types known before H2 sees anything. */
package io.github.mssqlcdc.testkit.sqlserver.engine.translate;
