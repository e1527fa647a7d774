/** Key values in SQL Server's order, and ranges of them. Internal. */
@NullMarked
package io.github.mssqlcdc.keyrange;

import org.jspecify.annotations.NullMarked;
