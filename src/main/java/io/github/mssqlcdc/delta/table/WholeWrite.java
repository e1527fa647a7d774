package io.github.mssqlcdc.delta.table;

import static org.apache.spark.sql.functions.lit;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.jspecify.annotations.Nullable;

/** Delta's own writer: all rows of a table at once, or none. */
record WholeWrite(SparkSession spark, DeltaTableRef ref) {
  private static final String MERGE_SCHEMA = "mergeSchema";
  private static final String NOTE = "userMetadata";

  void replace(Dataset<Row> rows, String note) {
    try {
      rows.writeTo(ref.sql())
          .option(MERGE_SCHEMA, "true")
          .option(NOTE, note)
          .overwrite(lit(true));
    } catch (NoSuchTableException e) {
      throw new IllegalStateException("Table " + ref + " was there a moment ago", e);
    }
  }

  void append(Dataset<Row> rows, @Nullable String note) {
    var writer = rows.write().format("delta").mode("append").option(MERGE_SCHEMA, "true");
    WriterAppend.write(ref, note == null ? writer : writer.option(NOTE, note));
  }
}
