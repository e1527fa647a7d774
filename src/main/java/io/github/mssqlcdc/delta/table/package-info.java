/**
 * The only door to Delta Lake: tables by name or path, appends once per transaction id. Internal.
 */
@NullMarked
package io.github.mssqlcdc.delta.table;

import org.jspecify.annotations.NullMarked;
