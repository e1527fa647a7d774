package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import java.time.LocalDateTime;

/**
 * An entry of {@code cdc.lsn_time_mapping}.
 *
 * @param lsn commit LSN, or that of an idle entry
 * @param at its end time on the server's clock, raw, without a zone
 */
public record MapEntry(Lsn lsn, LocalDateTime at) {}
