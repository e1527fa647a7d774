package io.github.mssqlcdc.sqlserver;

/**
 * What a slice of an integer column holds; NULLs are in none.
 *
 * @param slice its place in the grid, from 0 on
 * @param rows at least one
 * @param min its smallest value
 * @param max its largest value
 */
public record SliceCount(long slice, long rows, long min, long max) {}
