package io.github.mssqlcdc.delta.table;

import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_json;

import java.util.Map;
import org.apache.spark.sql.Column;

/** A row's key as one text. */
public final class RowKey {
  /** Spark would cut times to milliseconds, and two keys would be one. */
  private static final Map<String, String> WHOLE =
      Map.of(
          "ignoreNullFields", "false",
          "timestampNTZFormat", "yyyy-MM-dd'T'HH:mm:ss[.SSSSSS]",
          "timestampFormat", "yyyy-MM-dd'T'HH:mm:ss[.SSSSSS][XXX]");

  private RowKey() {}

  /** The key as compact JSON: another key has another text. NULLs are in it. */
  public static Column json(Column... columns) {
    return to_json(struct(columns), WHOLE);
  }
}
