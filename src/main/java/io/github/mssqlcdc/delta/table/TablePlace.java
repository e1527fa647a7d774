package io.github.mssqlcdc.delta.table;

import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;

/** Whether a table may stand where its name or path points. */
final class TablePlace {
  private static final String SESSION_CATALOG = "spark_catalog";

  /** The session's own catalog takes no other names, in backticks neither. */
  private static final Pattern PLAIN = Pattern.compile("\\w+");

  private TablePlace() {}

  /**
   * @param exists whether the table is there; may fail as Spark and Hadoop please
   * @throws InvalidRequestException if it isn't and can't be
   */
  static void require(SparkSession spark, DeltaTableRef ref, BooleanSupplier exists) {
    try {
      if (!exists.getAsBoolean() && !ref.isPath()) {
        requireSchema(spark, ref);
        requirePlainName(spark, ref);
      }
    } catch (Exception e) { // Spark and Hadoop throw checked exceptions undeclared
      if (e instanceof CdcError) {
        throw e;
      }
      throw unusable(ref, e);
    }
  }

  private static void requireSchema(SparkSession spark, DeltaTableRef ref) {
    String schema = ref.schema().orElse(null);
    if (schema != null && !spark.catalog().databaseExists(schema)) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_TARGET,
          "Unknown schema '"
              + schema
              + "' of table '"
              + ref
              + "': make it with CREATE SCHEMA "
              + schema
              + ", or name another");
    }
  }

  private static void requirePlainName(SparkSession spark, DeltaTableRef ref) {
    boolean inSessionCatalog =
        ref.schema().map(schema -> schema.startsWith(SESSION_CATALOG + ".")).orElse(false)
            || spark.catalog().currentCatalog().equals(SESSION_CATALOG);
    if (inSessionCatalog && !PLAIN.matcher(ref.lastPart()).matches()) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_TARGET,
          "Invalid table '"
              + ref
              + "': in Spark's own catalog a name has ASCII letters, digits and _ only; choose"
              + " another, or give a path");
    }
  }

  private static InvalidRequestException unusable(DeltaTableRef ref, Exception cause) {
    String reason = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    return new InvalidRequestException(
        ErrorCode.INVALID_TARGET,
        "Invalid table '"
            + ref
            + "': "
            + (ref.isPath()
                ? "its path can't be looked at from this session"
                : "give a name such as bronze.orders, special characters in backticks, or a path,"
                    + " which is anything with / or :")
            + ": "
            + reason,
        cause);
  }
}
