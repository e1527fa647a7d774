/** Snapshots into bronze. Internal. */
@NullMarked
package io.github.mssqlcdc.backfill;

import org.jspecify.annotations.NullMarked;
