package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import org.jspecify.annotations.Nullable;

/**
 * Where a stream begins that is to have the commits from a time on.
 *
 * @param after the LSN that counts as processed
 * @param entry the map's entry there; null if it has none
 */
public record StartPosition(Lsn after, @Nullable MapEntry entry) {}
