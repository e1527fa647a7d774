package io.github.mssqlcdc.delta.table;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/** Delta's own writer: all rows of a table at once, or none. */
record WholeWrite(DeltaTableRef ref) {
  private static final String MERGE_SCHEMA = "mergeSchema";
  private static final String NOTE = "userMetadata";

  /**
   * @param path of the table; by its name Delta would make another table in its place
   */
  void replace(Dataset<Row> rows, String path, String note) {
    rows.write()
        .format("delta")
        .mode("overwrite")
        .option(MERGE_SCHEMA, "true")
        .option(NOTE, note)
        .save(path);
  }

  void append(Dataset<Row> rows, @Nullable String note) {
    var writer = rows.write().format("delta").mode("append").option(MERGE_SCHEMA, "true");
    WriterAppend.write(ref, note == null ? writer : writer.option(NOTE, note));
  }
}
