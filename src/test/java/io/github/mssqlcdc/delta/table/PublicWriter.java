package io.github.mssqlcdc.delta.table;

import org.apache.spark.sql.SparkSession;

/** Tables that are written to as those are where the insides of Delta don't fit. */
public final class PublicWriter {

  private PublicWriter() {}

  public static LakeTable of(SparkSession spark, DeltaTableRef ref) {
    return new LakeTable(spark, ref, Appends.Door.PUBLIC);
  }
}
