package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.type.SqlType;
import java.io.Serializable;

/**
 * A column of a capture instance.
 *
 * @param name its exact name
 * @param columnId its id in the source table; a column dropped and added again has another
 * @param ordinal 1-based place in the change table, metadata columns not counted
 * @param type its type, an alias type already resolved to its base type
 */
public record CapturedColumn(String name, int columnId, int ordinal, SqlType type)
    implements Serializable {}
