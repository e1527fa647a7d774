package io.github.mssqlcdc.source;

import io.github.mssqlcdc.options.SourceOptions;
import io.github.mssqlcdc.source.row.Connector;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServers;
import java.time.Duration;

/** Reaches the database of a stream's or a read's options. */
record DatabaseConnector(SourceOptions options, Duration pollInterval) implements Connector {

  @Override
  public SqlServer connect() {
    return SqlServers.connect(options, pollInterval);
  }
}
