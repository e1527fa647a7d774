/** Types and values of T-SQL, apart from any session: precedence, conversions, dates. */
package io.github.mssqlcdc.testkit.sqlserver.engine.value;
