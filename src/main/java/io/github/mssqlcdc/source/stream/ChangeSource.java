package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.source.row.Connector;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import java.io.Serializable;

/**
 * What a stream reads, as resolved on the driver when it starts; tasks take it from here.
 *
 * @param connector reaches the database
 * @param instance the capture instance
 * @param layout the columns
 * @param fetchSize the most rows of a column batch
 * @param guard what happens when changes are gone
 */
record ChangeSource(
    Connector connector,
    CaptureInstance instance,
    RowLayout layout,
    int fetchSize,
    RetentionGuard guard)
    implements Serializable {}
