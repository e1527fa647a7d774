/** The facade: from a SQL Server table to Delta tables. Part of the API. */
@NullMarked
package io.github.mssqlcdc.pipeline;

import org.jspecify.annotations.NullMarked;
