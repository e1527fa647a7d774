package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One database as the CDC engine sees it: catalogue and storage, past the T-SQL front end. */
public interface DatabaseStore {
  String name();

  Optional<TableInfo> table(String schema, String name);

  Optional<TableInfo> table(int objectId);

  /** Whether both name the same object here. */
  default boolean sameName(String a, String b) {
    return a.equalsIgnoreCase(b);
  }

  /** Creates a schema, if it isn't there. */
  void createSchema(String name);

  /** Creates a role, if it isn't there. */
  void createRole(String name);

  /**
   * Creates a table that only db_owner may read until SELECT is granted.
   *
   * @param uniqueKey columns of its unique clustered index, in order; empty: none
   * @return its object id
   */
  int createSystemTable(String schema, String name, List<Column> columns, List<String> uniqueKey);

  /** Changes the type of a column of a system table, its values with it. */
  void retypeColumn(int objectId, String column, DataType type);

  void dropTable(int objectId);

  /** Gives SELECT on a system table to everybody. */
  void grantSelectToPublic(int objectId);

  /** Runs H2 SQL in a transaction of its own: all statements, or none. */
  void update(List<Statement> statements);

  /** Runs an H2 query outside of any session. */
  List<@Nullable Object[]> query(String sql, @Nullable Object... arguments);

  /** The server's local time. */
  LocalDateTime now();

  /** From here on the listener is told of this database's commits; null: nobody is. */
  void listen(@Nullable CommitListener listener);

  /** Makes a procedure known in this database. */
  void register(SystemProcedure procedure);

  record Statement(String sql, List<@Nullable Object> arguments) {}
}
