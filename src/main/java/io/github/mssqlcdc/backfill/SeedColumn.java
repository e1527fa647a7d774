package io.github.mssqlcdc.backfill;

import org.apache.spark.sql.types.StructField;

/**
 * A captured column of the stream, as a seed has to fill it.
 *
 * @param field its name and type in the stream
 */
public record SeedColumn(StructField field, Source source) {

  /** Where its values come from. */
  public enum Source {
    /** The copy has to have it. */
    COPY,
    /** The copy may have it: the source table hasn't any more. */
    COPY_OR_NULL,
    /** It is NULL, as in every image: CDC doesn't capture its values. */
    NULL
  }
}
