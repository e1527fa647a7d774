package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;

/**
 * A statement that changed the columns of a captured table.
 *
 * @param lsn LSN of its commit; the map needn't have it
 * @param statement as it was written
 */
public record DdlEntry(Lsn lsn, String statement) {}
