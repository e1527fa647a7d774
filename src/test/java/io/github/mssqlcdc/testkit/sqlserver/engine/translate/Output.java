package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import org.jspecify.annotations.Nullable;

/**
 * A column of a query's result.
 *
 * @param name empty if it has none
 * @param variable that takes the value, in {@code SELECT @x = …}; null: none
 */
public record Output(String name, DataType type, boolean nullable, @Nullable String variable) {}
