package io.github.mssqlcdc.delta.table;

import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Changes of a table's rows that are no appends. */
public final class RowChanges {
  private final SparkSession spark;
  private final DeltaTableRef ref;
  private final Supplier<String> path;

  /**
   * @param path of the table; it must exist when it is asked for
   */
  RowChanges(SparkSession spark, DeltaTableRef ref, Supplier<String> path) {
    this.spark = spark;
    this.ref = ref;
    this.path = path;
  }

  /**
   * Changes rows by few others that are in memory. Conflicts with other writers are retried for
   * about a minute.
   *
   * @param rows of {@code schema}
   * @param on as in {@link Merge}
   */
  public void merge(List<Row> rows, StructType schema, Column on, List<Merge.Clause> clauses) {
    merge(new Merge(frame(spark, rows, schema), on, clauses, null, null));
  }

  /** Changes rows. Conflicts with other writers are retried for about a minute. */
  public void merge(Merge merge) {
    MergeInto into = new MergeInto(spark, ref);
    ConflictRetry.write(ref, ConflictRetry.LONG, () -> into.run(merge));
  }

  /**
   * Puts rows in place of all that the table has, in one commit. New columns are added to it.
   *
   * @param note what is kept of it in the commit
   */
  public void replace(Dataset<Row> rows, String note) {
    new WholeWrite(ref).replace(rows, path.get(), note);
  }

  /**
   * A commit that brings no rows: columns that the table lacks, or a note.
   *
   * @param columns that it shall have
   * @param note what is kept of it in the commit; null: nothing
   */
  public void touch(StructType columns, @Nullable String note) {
    ConflictRetry.write(
        ref,
        ConflictRetry.SHORT,
        () -> new WholeWrite(ref).append(frame(spark, List.of(), columns), note));
  }

  static Dataset<Row> frame(SparkSession spark, List<Row> rows, StructType schema) {
    return spark.createDataFrame(rows, schema).coalesce(1);
  }
}
