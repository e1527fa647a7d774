package io.github.mssqlcdc.sqlserver;

import java.util.List;

/**
 * The capture instances of one table, as they are at one moment.
 *
 * @param asked the one asked for
 * @param all it and the table's other one, if there is one: the older first
 */
public record TableInstances(CaptureInstance asked, List<CaptureInstance> all) {

  public TableInstances {
    all = List.copyOf(all);
  }
}
