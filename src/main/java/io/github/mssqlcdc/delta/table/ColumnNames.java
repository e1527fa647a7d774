package io.github.mssqlcdc.delta.table;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.StructType;

/** Column names as Spark and Delta take them. */
public final class ColumnNames {
  static final String MAPPING_MODE = "delta.columnMapping.mode";
  static final String BY_NAME = "name";

  /**
   * What the names of columns begin with that rows have while something is made of them: no
   * captured column may be called so.
   */
  public static final String WORKING = "_mssql_cdc_";

  private static final String NEED_MAPPING = " ,;{}()\n\t=";

  private ColumnNames() {}

  /** Whether Parquet can't hold one of the names, so that Delta must map it. */
  static boolean needMapping(StructType columns) {
    return Arrays.stream(columns.fieldNames()).anyMatch(ColumnNames::needsMapping);
  }

  static boolean needsMapping(String name) {
    return name.chars().anyMatch(c -> NEED_MAPPING.indexOf(c) >= 0);
  }

  /** As a list in a table property. */
  static String list(List<String> names) {
    return names.stream().map(ColumnNames::quoted).collect(Collectors.joining(","));
  }

  /** For who parses a name, but takes backticks only where they are needed. */
  static String parsed(String name) {
    return name.matches("[A-Za-z_]\\w*") ? name : quoted(name);
  }

  /** For who parses a name, whatever stands in it. */
  public static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }
}
