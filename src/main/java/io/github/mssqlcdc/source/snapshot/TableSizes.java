package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.TableSize;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The size of a table, asked for at most once. Thread-safe. */
final class TableSizes {
  private final SqlServer server;
  private final CaptureInstance instance;
  private @Nullable Optional<TableSize> known;

  TableSizes(SqlServer server, CaptureInstance instance) {
    this.server = server;
    this.instance = instance;
  }

  synchronized Optional<TableSize> get() {
    if (known == null) {
      known = server.tableSize(instance);
    }
    return known;
  }
}
