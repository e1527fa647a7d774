/** One entry per SQL Server type: its Spark type, and how a value is read. Internal. */
@NullMarked
package io.github.mssqlcdc.type;

import org.jspecify.annotations.NullMarked;
