package io.github.mssqlcdc.sqlserver;

import org.jspecify.annotations.Nullable;

/**
 * @param min smallest value of an integer key; null on an empty table
 * @param max largest value; null on an empty table
 */
public record KeyExtent(@Nullable Long min, @Nullable Long max) {}
