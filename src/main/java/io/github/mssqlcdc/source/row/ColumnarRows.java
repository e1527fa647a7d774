package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.sqlserver.RowCursor;
import io.github.mssqlcdc.sqlserver.RowCursor.Tail;
import io.github.mssqlcdc.type.ColumnReader;
import io.github.mssqlcdc.type.ReadColumn;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * Turns a cursor's rows into column batches. A batch ends at so many rows or about 32 KiB, so that
 * Spark finds it in the processor's cache; a row larger than that comes in a batch of its own. Not
 * thread-safe.
 */
public final class ColumnarRows implements AutoCloseable {
  private static final long BATCH_BYTES = 32L << 10;

  private final RowHeader header;
  private final int maxRows;
  private final List<MetadataCell> metadata = new ArrayList<>();
  private final List<CapturedCell> captured = new ArrayList<>();
  private final List<VectorSink> sinks = new ArrayList<>();
  private @Nullable UnknownSink unknown;
  private final ColumnarBatch batch;

  /** The result that the readers are those for; null: they are for any. */
  private @Nullable ResultSet readersOf;

  private long bytes;
  private @Nullable Tail tail;

  /** Where a row waits that was read already but belongs to the next batch; -1: none does. */
  private int waiting = -1;

  /**
   * @param fetchSize the most rows of a batch
   */
  public ColumnarRows(RowLayout layout, RowHeader header, int fetchSize) {
    this.header = header;
    this.maxRows = fetchSize;
    List<VectorSink> values = layout.captured().stream().map(this::sink).toList();
    Iterator<VectorSink> next = values.iterator();
    for (StructField field : layout.schema().fields()) {
      Optional<MetadataColumn> column = MetadataColumn.find(field.name());
      sinks.add(column.isPresent() ? sink(column.get(), layout, values) : next.next());
    }
    this.batch =
        new ColumnarBatch(sinks.stream().map(VectorSink::vector).toArray(ColumnVector[]::new));
  }

  /**
   * Fills the next batch, in place of the one before; false if there are no more rows. If the
   * cursor fails, call it again with one that stands where this one did.
   */
  public boolean next(RowCursor cursor) throws SQLException {
    if (waiting >= 0) {
      int row = waiting;
      sinks.forEach(sink -> sink.carry(row));
      waiting = -1;
      batch.setNumRows(1);
      return true;
    }
    sinks.forEach(VectorSink::reset);
    header.beginBatch();
    batch.setNumRows(fill(cursor));
    header.endBatch();
    return batch.numRows() > 0;
  }

  public ColumnarBatch batch() {
    return batch;
  }

  /** What came after the rows; null while there are more. The last batch comes after it. */
  public @Nullable Tail tail() {
    return tail;
  }

  /** Size of all captured values read so far. */
  public long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    batch.close();
  }

  /** What has been read is kept from the mark, or the tail, on: neither may fail after that. */
  private int fill(RowCursor cursor) throws SQLException {
    int rows = 0;
    long filled = 0;
    boolean isFull = false;
    boolean isWaiting = false;
    while (!isFull && cursor.next()) {
      long size = append(cursor.row(), rows);
      filled += size;
      isWaiting = size > BATCH_BYTES && rows > 0;
      rows += isWaiting ? 0 : 1;
      isFull = isWaiting || rows == maxRows || filled >= BATCH_BYTES;
    }
    if (isFull) {
      cursor.mark();
    } else {
      tail = cursor.tail();
    }
    waiting = isWaiting ? rows : -1;
    bytes += filled;
    return rows;
  }

  private long append(ResultSet row, int at) throws SQLException {
    header.read(row);
    for (MetadataCell cell : metadata) {
      header.put(cell.column, cell.sink);
    }
    long size = 0;
    if (row != readersOf) {
      fit(row);
    }
    for (CapturedCell cell : captured) {
      int length = cell.reader.read(row, cell.place, cell.sink);
      if (length == ColumnReader.ABSENT) {
        cell.sink.putNull();
      } else {
        size += length;
      }
    }
    if (unknown != null) {
      unknown.put(header, at);
    }
    return size;
  }

  private void fit(ResultSet row) throws SQLException {
    ResultSetMetaData columns = row.getMetaData();
    for (CapturedCell cell : captured) {
      cell.reader = cell.column.reader().in(columns, cell.place);
    }
    readersOf = row;
  }

  private VectorSink sink(ReadColumn column) {
    if (!column.isSelected()) {
      VectorSink nulls = new ConstantSink(column.field().dataType(), maxRows);
      nulls.putNull();
      return nulls;
    }
    VectorSink sink = VectorSink.of(column.field().dataType(), maxRows);
    captured.add(new CapturedCell(column, header.width() + captured.size() + 1, sink));
    return sink;
  }

  private VectorSink sink(MetadataColumn column, RowLayout layout, List<VectorSink> values) {
    if (header.isConstant(column)) {
      VectorSink sink = new ConstantSink(column.type(), maxRows);
      header.put(column, sink);
      return sink;
    }
    if (column == MetadataColumn.UNKNOWN_COLUMNS) {
      List<ColumnVector> vectors = values.stream().map(VectorSink::vector).toList();
      unknown = new UnknownSink(layout, vectors, maxRows);
      return unknown;
    }
    VectorSink sink = VectorSink.of(column.type(), maxRows);
    metadata.add(new MetadataCell(column, sink));
    return sink;
  }

  private record MetadataCell(MetadataColumn column, VectorSink sink) {}

  private static final class CapturedCell {
    private final ReadColumn column;
    private final int place;
    private final VectorSink sink;
    private ColumnReader reader;

    /**
     * @param place of the column in the database's row, from 1
     */
    CapturedCell(ReadColumn column, int place, VectorSink sink) {
      this.column = column;
      this.place = place;
      this.sink = sink;
      this.reader = column.reader();
    }
  }
}
