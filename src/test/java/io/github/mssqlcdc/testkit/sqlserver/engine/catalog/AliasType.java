package io.github.mssqlcdc.testkit.sqlserver.engine.catalog;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;

/**
 * Another name for a system type.
 *
 * @param id {@code user_type_id}, above those of the system's types
 */
public record AliasType(int id, String schema, String name, DataType base, boolean nullable) {}
