package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.type.ColumnSink;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Gives the metadata columns of a row. Not thread-safe. */
public interface RowHeader {

  /** How many columns of the database's row come before the captured ones. */
  int width();

  /** Forgets the rows taken in since the last {@link #endBatch}: they will come again. */
  void beginBatch();

  /** Keeps the rows taken in. */
  void endBatch();

  /** Takes in the row stood on. */
  void read(ResultSet row) throws SQLException;

  /** Puts this column of the row taken in last. */
  void put(MetadataColumn column, ColumnSink sink);

  /** Whether a NULL of this column in the row taken in last means that it isn't carried there. */
  boolean leavesOut(LargeColumn column);

  /** Whether the column is the same in each row, so that it needs to be put only once. */
  boolean isConstant(MetadataColumn column);
}
