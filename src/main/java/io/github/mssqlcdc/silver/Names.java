package io.github.mssqlcdc.silver;

import io.github.mssqlcdc.delta.table.ColumnNames;
import io.github.mssqlcdc.delta.table.Merge;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;

/** Columns of images while they are folded, and how columns are named. */
final class Names {
  /** In folded images: the key is gone. */
  static final String DELETED = ColumnNames.WORKING + "deleted";

  /** In folded images: the key was gone before the image, so nothing older belongs to it. */
  static final String FRESH = ColumnNames.WORKING + "fresh";

  /** In images: their order among those that an older key of their row has left; else -1. */
  static final String CARRIED = ColumnNames.WORKING + "carried";

  private Names() {}

  /** A column by its name, whatever stands in it. */
  static Column col(String name) {
    return functions.col(ColumnNames.quoted(name));
  }

  /** Of silver, in a MERGE. */
  static Column ofTable(String name) {
    return functions.col(Merge.TABLE + "." + ColumnNames.quoted(name));
  }

  /** Of the folded images, in a MERGE. */
  static Column ofRow(String name) {
    return functions.col(Merge.ROWS + "." + ColumnNames.quoted(name));
  }
}
