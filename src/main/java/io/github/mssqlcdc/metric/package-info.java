/** Measurements of ranges and batches, and their folding. Part of the API. */
@NullMarked
package io.github.mssqlcdc.metric;

import org.jspecify.annotations.NullMarked;
