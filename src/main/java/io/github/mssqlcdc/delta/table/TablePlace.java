package io.github.mssqlcdc.delta.table;

import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalog.Database;

/** Whether a table may stand where its name or path points. */
final class TablePlace {
  private static final String SESSION_CATALOG = "spark_catalog";

  /** The session's own catalog takes no other names, in backticks neither. */
  private static final Pattern PLAIN = Pattern.compile("\\w+");

  private static final String LOG = "_delta_log";

  private TablePlace() {}

  /**
   * @param exists whether the table is there; may fail as Spark and Hadoop please
   * @throws InvalidRequestException if it isn't and can't be
   */
  static void require(SparkSession spark, DeltaTableRef ref, BooleanSupplier exists) {
    try {
      if (exists.getAsBoolean()) {
        return;
      }
      if (ref.isPath()) {
        requireFree(spark, ref);
      } else {
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

  /**
   * Where a table that isn't there would be made: its folder, or its full name where the catalog
   * doesn't tell.
   */
  static String ofNew(SparkSession spark, DeltaTableRef ref) {
    if (ref.isPath()) {
      return qualified(spark, new Path(ref.text()));
    }
    Database schema = schema(spark, ref);
    String name = ref.lastPart().toLowerCase(Locale.ROOT);
    String folder = schema.locationUri();
    return folder == null || folder.isBlank()
        ? schema.catalog() + "." + schema.name() + "." + name
        : qualified(spark, new Path(folder, name));
  }

  private static Database schema(SparkSession spark, DeltaTableRef ref) {
    try {
      return spark
          .catalog()
          .getDatabase(ref.schema().orElseGet(() -> spark.catalog().currentDatabase()));
    } catch (Exception e) { // Spark throws checked exceptions undeclared
      throw unusable(ref, e);
    }
  }

  /** The path with its file system, spelt as that does. */
  static String qualified(SparkSession spark, Path path) {
    try {
      return path.getFileSystem(spark.sessionState().newHadoopConf())
          .makeQualified(path)
          .toString();
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to look at " + path, e);
    }
  }

  /** Delta makes a table in an empty folder only; one with a log is being made by someone. */
  private static void requireFree(SparkSession spark, DeltaTableRef ref) {
    FileStatus[] found = list(spark, ref);
    if (found.length > 0
        && Arrays.stream(found).noneMatch(file -> file.getPath().getName().equals(LOG))) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_TARGET,
          "Unsupported table '"
              + ref
              + "': it is no Delta table, but other files stand there ("
              + found[0].getPath().getName()
              + (found.length > 1 ? " and " + (found.length - 1) + " more" : "")
              + "); name a Delta table, or a new or empty folder");
    }
  }

  private static FileStatus[] list(SparkSession spark, DeltaTableRef ref) {
    try {
      Path path = new Path(ref.text());
      FileSystem files = path.getFileSystem(spark.sessionState().newHadoopConf());
      return files.exists(path) ? files.listStatus(path) : new FileStatus[0];
    } catch (IOException e) {
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
