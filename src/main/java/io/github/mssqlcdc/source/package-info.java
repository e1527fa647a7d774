/** The registered formats, {@code mssql_cdc} and {@code mssql_cdc_snapshot}. Internal. */
@NullMarked
package io.github.mssqlcdc.source;

import org.jspecify.annotations.NullMarked;
