package io.github.mssqlcdc.testkit.sqlserver.backend;

/** A column of a result set. */
public record Column(String name, DataType type, boolean nullable) {}
