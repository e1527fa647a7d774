/** Pooled connections to the source database, and retries. Internal. */
@NullMarked
package io.github.mssqlcdc.connection;

import org.jspecify.annotations.NullMarked;
