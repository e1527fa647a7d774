/**
 * What takes too long for each build: {@code mvn -q -P drill}. A backfill that is killed again and
 * again, and random lives of a table from T-SQL to bronze and silver.
 */
package io.github.mssqlcdc.drill;
