package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.sqlserver.RangeReader;
import io.github.mssqlcdc.sqlserver.RowCursor.Tail;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.TaskInterruptListener;
import org.jspecify.annotations.Nullable;

/**
 * The column batches of a range, read in a task: the marks behind the rows are read before the last
 * batch is handed on, and a batch that a failure leaves unfinished is read again. Not thread-safe.
 */
public final class RangeBatches implements AutoCloseable {
  private final Supplier<RangeReader> open;
  private final ColumnarRows rows;
  private @Nullable RangeReader reader;

  /**
   * @param open called with the first batch
   */
  public RangeBatches(Supplier<RangeReader> open, ColumnarRows rows) {
    this.open = open;
    this.rows = rows;
  }

  /** Goes to the next batch; false after the last. */
  public boolean next() {
    return rows.tail() == null && reader().read(rows::next);
  }

  public ColumnarBatch batch() {
    return rows.batch();
  }

  /** What came after the rows; null before the last batch. */
  public @Nullable Tail tail() {
    return rows.tail();
  }

  /** Size of all captured values read so far. */
  public long bytes() {
    return rows.bytes();
  }

  @Override
  public void close() {
    try {
      if (reader != null) {
        reader.close();
      }
    } finally {
      rows.close();
    }
  }

  private RangeReader reader() {
    if (reader == null) {
      RangeReader opened = open.get();
      reader = opened;
      TaskContext task = TaskContext.get();
      if (task != null) {
        // a task that is killed may not be interrupted, and JDBC wouldn't notice
        TaskInterruptListener cancel = (context, reason) -> opened.cancel();
        var unused = task.addTaskInterruptListener(cancel);
      }
    }
    return reader;
  }
}
