package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.CapturedColumn;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.type.SqlType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A capture instance with its columns.
 *
 * @param columns types by exact name, in the order of their ordinals
 */
public record CapturedTable(CaptureInstance instance, Map<String, SqlType> columns) {

  /** Looks both up by the instance's name; errors are those of {@link SqlServer}. */
  public static CapturedTable load(SqlServer server, String captureInstance) {
    CaptureInstance instance = server.captureInstance(captureInstance);
    Map<String, SqlType> columns = new LinkedHashMap<>();
    for (CapturedColumn column : server.capturedColumns(instance)) {
      columns.put(column.name(), column.type());
    }
    return new CapturedTable(instance, Collections.unmodifiableMap(columns));
  }
}
