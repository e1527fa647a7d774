/** T-SQL as text: tokens, and a parser that refuses what it does not know. */
package io.github.mssqlcdc.testkit.sqlserver.tsql;
