/**
 * Measurements of ranges and batches, and their folding. Internal, but for what a backfill and a
 * comparison give back.
 */
@NullMarked
package io.github.mssqlcdc.metric;

import org.jspecify.annotations.NullMarked;
