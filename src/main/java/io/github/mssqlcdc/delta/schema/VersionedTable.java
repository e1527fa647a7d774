package io.github.mssqlcdc.delta.schema;

import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.delta.table.TableDefinition;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.registry.JvmRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tables that carry the version of their definition, so that later releases can migrate them. */
public final class VersionedTable {
  private static final Logger LOG = LoggerFactory.getLogger(VersionedTable.class);
  private static final int CURRENT = 1;
  private static final String VERSION = "mssql_cdc.schema_version";
  private static final String MIN_VERSION = "mssql_cdc.min_version";

  private VersionedTable() {}

  /** A column with its comment. */
  public static StructField column(String name, DataType type, String comment) {
    return new StructField(name, type, true, Metadata.empty()).withComment(comment);
  }

  /**
   * Checks that a table has these columns, in these types.
   *
   * @param use what it can't be used for without them, like "write facts to"
   * @param kind what it would be with them, like "facts table"
   * @throws InvalidRequestException if one is missing
   */
  public static void requireColumns(
      LakeTable table, List<StructField> columns, String use, String kind) {
    List<StructField> there = List.of(table.schema().fields());
    for (StructField column : columns) {
      if (there.stream()
          .noneMatch(
              found ->
                  found.name().equals(column.name())
                      && found.dataType().equals(column.dataType()))) {
        throw new InvalidRequestException(
            ErrorCode.INVALID_TARGET,
            "Cannot "
                + use
                + " '"
                + table.ref()
                + "': it has no column "
                + column.name()
                + " of type "
                + column.dataType().simpleString()
                + ", so it is no "
                + kind
                + "; name another one, it is created");
      }
    }
  }

  /**
   * Creates the table at the current version, or brings the one that is there to it.
   *
   * @throws InvalidRequestException if only a newer release may write to it
   */
  public static void open(LakeTable table, TableDefinition definition) {
    open(table, definition, CURRENT);
  }

  /**
   * @param current the version of the definition. A later one may add columns and change comments,
   *     nothing else.
   */
  static void open(LakeTable table, TableDefinition definition, int current) {
    String stamp = String.valueOf(current);
    if (!table.exists()) {
      table.createIfMissing(definition.with(Map.of(VERSION, stamp)));
    }
    if (check(table, current) < current) {
      LOG.info("{}: brought to table version {}", table.ref(), current);
      table.upgrade(definition, Map.of(VERSION, stamp));
    }
  }

  /**
   * Checks the version of a table that exists.
   *
   * @throws InvalidRequestException if only a newer release may write to it
   */
  public static void check(LakeTable table) {
    var unused = check(table, CURRENT);
  }

  /** The table's version; 0 if it carries none. */
  private static int check(LakeTable table, int current) {
    Map<String, String> properties = table.properties();
    int minimum = Integer.parseInt(properties.getOrDefault(MIN_VERSION, "0"));
    if (minimum > current) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_TARGET,
          "Cannot write to '"
              + table.ref()
              + "': it needs a release that knows table version "
              + minimum
              + ", this one knows "
              + current
              + "; use the release that migrated it, or a newer one");
    }
    int version = Integer.parseInt(properties.getOrDefault(VERSION, "0"));
    if (version > current && isFirstTime(table, version)) {
      LOG.warn(
          "{}: table version {} comes from a newer release, this one knows {}; it is written to as"
              + " it is",
          table.ref(),
          version,
          current);
    }
    return version;
  }

  private static boolean isFirstTime(LakeTable table, int version) {
    return JvmRegistry.shared(
            AtomicBoolean.class, Map.entry(table.ref(), version), () -> new AtomicBoolean(true))
        .getAndSet(false);
  }
}
