package io.github.mssqlcdc.source.row;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;

/** The names of the large columns that a row's image doesn't carry. */
final class UnknownSink extends VectorSink {
  private final List<LargeColumn> columns = new ArrayList<>();
  private final List<ColumnVector> values = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final NamesVector vector;

  /**
   * @param captured vectors of the layout's captured columns, in their order
   */
  UnknownSink(RowLayout layout, List<ColumnVector> captured, int rows) {
    for (int i = 0; i < captured.size(); i++) {
      LargeColumn column = layout.large().get(i);
      if (column != null) {
        columns.add(column);
        values.add(captured.get(i));
        names.add(layout.captured().get(i).field().name());
      }
    }
    this.vector = new NamesVector(names, rows);
  }

  /** Takes in the row that all other columns have been put of. */
  void put(RowHeader header, int row) {
    for (int i = 0; i < columns.size(); i++) {
      if (values.get(i).isNullAt(row) && header.leavesOut(columns.get(i))) {
        vector.add(i);
      }
    }
    vector.endRow();
  }

  @Override
  ColumnVector vector() {
    return vector;
  }

  @Override
  void reset() {
    vector.reset();
  }

  @Override
  void carry(int row) {
    vector.carry(row);
  }
}
