/**
 * The one narrow port to SQL Server: all T-SQL, quoting, error numbers, the server's clock.
 * Internal.
 */
@NullMarked
package io.github.mssqlcdc.sqlserver;

import org.jspecify.annotations.NullMarked;
