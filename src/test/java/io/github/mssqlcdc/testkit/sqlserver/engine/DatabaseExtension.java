package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What Change Data Capture adds to a database, as far as the engine needs to know. */
public interface DatabaseExtension {

  /** As {@code is_cdc_enabled} of sys.databases. */
  boolean enabled();

  /** As {@code is_tracked_by_cdc} of sys.tables. */
  boolean tracks(int tableId);

  /**
   * The table's columns were changed by this statement.
   *
   * @param retyped the new types of columns that have another one now, by their ids
   */
  void tableAltered(int tableId, String ddl, Map<Integer, DataType> retyped);

  void tableDropped(int tableId);

  /** The database is about to go: nothing may touch it from here on. */
  void databaseDropped();

  /**
   * The H2 query behind {@code cdc.fn_cdc_get_all_changes_<instance>}; empty if there is no such
   * instance.
   */
  Optional<String> changes(
      SessionContext session,
      String instance,
      byte @Nullable [] from,
      byte @Nullable [] to,
      @Nullable String option)
      throws SqlServerError;
}
