package io.github.mssqlcdc.sqlserver;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What a bucket of a table holds.
 *
 * @param bucket its place in the grid, below 0 for negative values; null: the rows without a value,
 *     or of a table that isn't cut
 * @param rows at least one, but of a table that isn't cut
 * @param keySum sum of the values; null where there are none
 */
public record BucketCount(@Nullable Long bucket, long rows, @Nullable BigDecimal keySum) {}
