package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.sqlserver.CaptureInstance;
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
}
