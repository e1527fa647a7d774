/** An outside witness of the stand-in: Debezium's connector for SQL Server, as it is. */
@NullMarked
package io.github.mssqlcdc.witness;

import org.jspecify.annotations.NullMarked;
