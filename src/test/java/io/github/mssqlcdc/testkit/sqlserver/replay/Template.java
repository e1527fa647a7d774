package io.github.mssqlcdc.testkit.sqlserver.replay;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.tds.RowEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a result, encoded. Each row to be sent is one of them in turn, with what is its own
 * put in. Immutable.
 */
final class Template {
  private static final int MOST_ROWS = 4096;
  private static final long MOST_BYTES = 8L << 20;

  private final List<RowEncoder.Encoded> rows;
  private final List<Cell> cells;

  private Template(List<RowEncoder.Encoded> rows, List<Cell> cells) {
    this.rows = rows;
    this.cells = cells;
  }

  /** A value of a fixed number of bytes that each row has of its own. */
  interface OwnValue {

    /** Any one, of the column's class: it only keeps the place. */
    Object example();

    /** Writes a row's value into a token, so that it ends before this offset. */
    void put(byte[] token, int end, long row);
  }

  private record Cell(int column, OwnValue value) {}

  /**
   * @param own by column name; in lower case where that matters to no table of ours
   * @param fixed values of columns that are the same in all rows
   */
  static Template of(
      List<Column> columns, Cells values, Map<String, OwnValue> own, Map<String, Object> fixed) {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      OwnValue value = own.get(columns.get(i).name());
      if (value != null) {
        cells.add(new Cell(i, value));
      }
    }
    RowEncoder encoder = new RowEncoder(columns);
    List<RowEncoder.Encoded> rows = new ArrayList<>();
    long bytes = 0;
    while (rows.size() < MOST_ROWS && bytes < MOST_BYTES) {
      @Nullable Object[] row = new @Nullable Object[columns.size()];
      for (int i = 0; i < row.length; i++) {
        String name = columns.get(i).name();
        OwnValue value = own.get(name);
        row[i] =
            value != null
                ? value.example()
                : fixed.containsKey(name)
                    ? fixed.get(name)
                    : values.value(columns.get(i).type(), rows.size(), i);
      }
      RowEncoder.Encoded encoded = encoder.encode(row);
      rows.add(encoded);
      bytes += encoded.token().length;
    }
    return new Template(rows, cells);
  }

  /**
   * Sends rows from one number up to another, not included.
   *
   * @return how many; less than all once the client has cancelled
   */
  long send(long from, long to, ResponseSink out) {
    byte[][] tokens = rows.stream().map(row -> row.token().clone()).toArray(byte[][]::new);
    for (long row = from; row < to; row++) {
      int i = (int) (row % tokens.length);
      for (Cell cell : cells) {
        cell.value().put(tokens[i], rows.get(i).ends()[cell.column()], row);
      }
      if (!out.encodedRow(tokens[i])) {
        return row - from;
      }
    }
    return to - from;
  }
}
