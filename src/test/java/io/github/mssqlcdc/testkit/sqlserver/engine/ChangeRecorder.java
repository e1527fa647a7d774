package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.engine.CommitListener.RowChange;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Catalog;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
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

  private record Recording(int statement, List<RowChange> changes) {}

  /** A change of rows that H2 makes. */
  interface Work<T> {
    T run() throws SQLException;
  }

  /** Runs the work and adds the rows it changes to the list; on failure the list is as before. */
  <T> T record(int statement, List<RowChange> changes, Work<T> work) throws SQLException {
    int before = changes.size();
    boolean done = false;
    current.set(new Recording(statement, changes));
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
      recording
          .changes()
          .add(
              new RowChange(
                  tableId, recording.statement(), row(table, oldRow), row(table, newRow)));
    }
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
