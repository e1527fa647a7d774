/** The facts table: one row per batch or event. Internal. */
@NullMarked
package io.github.mssqlcdc.facts;

import org.jspecify.annotations.NullMarked;
