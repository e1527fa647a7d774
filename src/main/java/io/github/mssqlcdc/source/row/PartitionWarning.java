package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.SqlServer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rows of a partitioned table may come and go unseen: told once, where a stream is set up. */
public final class PartitionWarning {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionWarning.class);

  private PartitionWarning() {}

  /**
   * Logs the warning if there is reason for it.
   *
   * @return what was logged
   */
  public static List<String> log(SqlServer server, List<CaptureInstance> instances) {
    List<String> warnings =
        instances.stream()
            .filter(server::maySwitchPartitions)
            .map(
                instance ->
                    instance.description()
                        + ": the table is partitioned, and ALTER TABLE … SWITCH PARTITION moves"
                        + " rows in or out of it without a change row. Take a new snapshot after"
                        + " each, or create the capture instance with @allow_partition_switch = 0,"
                        + " which refuses the statement")
            .toList();
    warnings.forEach(LOG::warn);
    return warnings;
  }
}
