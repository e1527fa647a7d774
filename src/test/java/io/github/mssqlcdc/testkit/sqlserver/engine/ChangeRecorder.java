package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.CommitListener.RowChange;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Catalog;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Hands rows changed by a statement to the transaction that runs it. H2 fires triggers on the
 * statement's own thread, which is how the two are matched. Thread-safe.
 */
final class ChangeRecorder {
  private final Catalog catalog;
  private final ThreadLocal<@Nullable Recording> current = new ThreadLocal<>();

  ChangeRecorder(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * @param lobLimit bytes of a large value; -1: any
   */
  private record Recording(int statement, List<RowChange> changes, int lobLimit) {}

  /** A change of rows that H2 makes. */
  interface Work<T> {
    T run() throws SQLException;
  }

  /**
   * Runs the work and adds the rows it changes to the list; on failure the list is as before.
   *
   * @param lobLimit bytes of a large value that may be written; -1: any
   */
  <T> T record(int statement, List<RowChange> changes, int lobLimit, Work<T> work)
      throws SQLException {
    int before = changes.size();
    boolean done = false;
    current.set(new Recording(statement, changes, lobLimit));
    try {
      T result = work.run();
      done = true;
      return result;
    } finally {
      current.remove();
      if (!done) {
        changes.subList(before, changes.size()).clear();
      }
    }
  }

  /** Called by the trigger. A change outside of {@link #record} is the system's own. */
  void changed(int tableId, @Nullable ResultSet oldRow, @Nullable ResultSet newRow)
      throws SQLException {
    Recording recording = current.get();
    Table table = catalog.table(tableId).orElse(null);
    if (recording != null && table != null) {
      @Nullable Object @Nullable [] before = row(table, oldRow);
      @Nullable Object @Nullable [] after = row(table, newRow);
      if (after != null && recording.lobLimit() >= 0) {
        requireWithin(recording.lobLimit(), table, before, after);
      }
      recording.changes().add(new RowChange(tableId, recording.statement(), before, after));
    }
  }

  private static void requireWithin(
      int limit, Table table, @Nullable Object @Nullable [] before, @Nullable Object[] after)
      throws SQLException {
    for (int i = 0; i < after.length; i++) {
      int length = lobLength(table.columns().get(i).type(), after[i]);
      if (length > limit && (before == null || !Objects.deepEquals(before[i], after[i]))) {
        throw new SQLException(
            new SqlServerError(
                7139,
                16,
                1,
                "Length of LOB data ("
                    + length
                    + ") to be replicated exceeds configured maximum "
                    + limit
                    + ". Use the stored procedure sp_configure to increase the configured maximum"
                    + " value for max text repl size option, which defaults to 65536. A configured"
                    + " value of -1 indicates no limit, other that the limit imposed by the data"
                    + " type."));
      }
    }
  }

  /** Bytes of a value of a large type; 0 of any other. */
  private static int lobLength(DataType type, @Nullable Object value) {
    return switch (type.name()) {
      case TEXT, NTEXT, IMAGE, XML -> bytes(type, value);
      case VARCHAR, NVARCHAR, VARBINARY -> type.length() == DataType.MAX ? bytes(type, value) : 0;
      default -> 0;
    };
  }

  private static int bytes(DataType type, @Nullable Object value) {
    if (value instanceof String text) {
      return Types.isUnicode(type) ? text.length() * Character.BYTES : text.length();
    }
    return value instanceof byte[] bytes ? bytes.length : 0;
  }

  /** Values in the table's column order; computed columns are null. */
  private static @Nullable Object @Nullable [] row(Table table, @Nullable ResultSet row)
      throws SQLException {
    if (row == null) {
      return null;
    }
    List<Table.Column> columns = table.columns();
    @Nullable Object[] values = new @Nullable Object[columns.size()];
    int stored = 0;
    for (int i = 0; i < values.length; i++) {
      if (columns.get(i).stored()) {
        values[i] = RowReader.read(row, ++stored, columns.get(i).type());
      }
    }
    return values;
  }
}
