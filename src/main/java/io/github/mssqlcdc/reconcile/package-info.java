/** Compares silver with its source; writes nothing but its report. Internal. */
@NullMarked
package io.github.mssqlcdc.reconcile;

import org.jspecify.annotations.NullMarked;
