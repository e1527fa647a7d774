package io.github.mssqlcdc.testkit.sqlserver.replay;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.tds.RowEncoder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a result, encoded. Each row to be sent is one of them in turn, with what is its own
 * put in; one of them all may be odd. Immutable.
 */
final class Template {
  private static final int MOST_ROWS = 4096;
  private static final long MOST_BYTES = 8L << 20;

  private final List<RowEncoder.Encoded> rows;
  private final List<Own> own;
  private final RowEncoder.Encoded odd;
  private final long oddRow;

  private Template(
      List<RowEncoder.Encoded> rows, List<Own> own, RowEncoder.Encoded odd, long oddRow) {
    this.rows = rows;
    this.own = own;
    this.odd = odd;
    this.oddRow = oddRow;
  }

  /** A value of a fixed number of bytes that each row has of its own. */
  interface OwnValue {

    /** Any one, of the column's class: it only keeps the place. */
    Object example();

    /** Writes a row's value into a token, so that it ends before this offset. */
    void put(byte[] token, int end, long row);
  }

  private record Own(int column, OwnValue value) {}

  /** What is in the rows, by column name. */
  interface Values {

    /** Null: the column has no such values. */
    @Nullable OwnValue own(String column);

    /** Value of one of the encoded rows. */
    @Nullable Object of(Column column, int row, int ordinal);

    /** That of the odd row. */
    @Nullable Object ofOdd(Column column, int ordinal);
  }

  /**
   * @param oddRow number of the odd row
   */
  static Template of(List<Column> columns, Values values, long oddRow) {
    List<Own> own = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      OwnValue value = values.own(columns.get(i).name());
      if (value != null) {
        own.add(new Own(i, value));
      }
    }
    RowEncoder encoder = new RowEncoder(columns);
    List<RowEncoder.Encoded> rows = new ArrayList<>();
    for (long bytes = 0; rows.size() < MOST_ROWS && bytes < MOST_BYTES; ) {
      int row = rows.size();
      RowEncoder.Encoded encoded =
          encoder.encode(cells(columns, values, (column, i) -> values.of(column, row, i)));
      rows.add(encoded);
      bytes += encoded.token().length;
    }
    return new Template(rows, own, encoder.encode(cells(columns, values, values::ofOdd)), oddRow);
  }

  private interface CellOf {
    @Nullable Object value(Column column, int ordinal);
  }

  private static @Nullable Object[] cells(List<Column> columns, Values values, CellOf cell) {
    @Nullable Object[] row = new @Nullable Object[columns.size()];
    for (int i = 0; i < row.length; i++) {
      OwnValue own = values.own(columns.get(i).name());
      row[i] = own == null ? cell.value(columns.get(i), i) : own.example();
    }
    return row;
  }

  /**
   * Sends rows from one number up to another, not included.
   *
   * @return how many; less than all once the client has cancelled
   */
  long send(long from, long to, ResponseSink out) {
    List<RowEncoder.Encoded> copies = rows.stream().map(RowEncoder.Encoded::copy).toList();
    for (long row = from; row < to; row++) {
      RowEncoder.Encoded encoded =
          row == oddRow ? odd.copy() : copies.get((int) (row % copies.size()));
      for (Own cell : own) {
        cell.value().put(encoded.token(), encoded.ends()[cell.column()], row);
      }
      if (!out.encodedRow(encoded.token())) {
        return row - from;
      }
    }
    return to - from;
  }
}
