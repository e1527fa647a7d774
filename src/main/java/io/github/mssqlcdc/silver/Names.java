package io.github.mssqlcdc.silver;

import io.github.mssqlcdc.delta.table.Merge;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;

/** Columns that bronze and silver have beside the source's, and how columns are named. */
final class Names {
  static final String HISTORY = "_history";
  static final String START_LSN = "_start_lsn";
  static final String COMMIT_TS = "_commit_ts";
  static final String COMMAND_ID = "_command_id";
  static final String SEQVAL = "_seqval";
  static final String OPERATION = "_operation";
  static final String UNKNOWN = "_unknown_columns";
  static final String SNAPSHOT = "_snapshot";

  /** In folded images: the key is gone. */
  static final String DELETED = "_deleted";

  /** In folded images: the key was gone before the image, so nothing older belongs to it. */
  static final String FRESH = "_fresh";

  /** In images: their order among those that an older key of their row has left; else -1. */
  static final String CARRIED = "_carried";

  private Names() {}

  /** A column by its name, whatever stands in it. */
  static Column col(String name) {
    return functions.col(quoted(name));
  }

  /** Of silver, in a MERGE. */
  static Column ofTable(String name) {
    return functions.col(Merge.TABLE + "." + quoted(name));
  }

  /** Of the folded images, in a MERGE. */
  static Column ofRow(String name) {
    return functions.col(Merge.ROWS + "." + quoted(name));
  }

  private static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }
}
