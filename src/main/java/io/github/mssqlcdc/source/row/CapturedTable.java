package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.type.CapturedColumn;
import java.util.List;

/**
 * A capture instance with its columns.
 *
 * @param columns by their ordinals
 */
public record CapturedTable(CaptureInstance instance, List<CapturedColumn> columns) {

  public CapturedTable {
    columns = List.copyOf(columns);
  }

  /** Looks both up by the instance's name; errors are those of {@link SqlServer}. */
  public static CapturedTable load(SqlServer server, String captureInstance) {
    CaptureInstance instance = server.captureInstance(captureInstance);
    return new CapturedTable(instance, server.capturedColumns(instance));
  }
}
