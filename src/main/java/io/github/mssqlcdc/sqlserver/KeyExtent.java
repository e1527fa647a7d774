package io.github.mssqlcdc.sqlserver;

/**
 * Where keys are, both ends included.
 *
 * @param min smallest value of an integer key
 * @param max largest value
 */
public record KeyExtent(long min, long max) {}
