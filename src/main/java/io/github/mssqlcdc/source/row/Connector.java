package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.sqlserver.SqlServer;
import java.io.Serializable;

/** Reaches the database from whichever process it is used in. */
@FunctionalInterface
public interface Connector extends Serializable {
  SqlServer connect();
}
