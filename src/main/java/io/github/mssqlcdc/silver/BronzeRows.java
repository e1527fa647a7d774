package io.github.mssqlcdc.silver;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.collect_set;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.flatten;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.when;

import io.github.mssqlcdc.bronze.BronzeColumns;
import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.bronze.UnknownNames;
import io.github.mssqlcdc.lsn.Lsn;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** Rows of bronze, as images for silver. */
final class BronzeRows {
  private BronzeRows() {}

  /** The images, with the columns that an older bronze lacks, or an option left out. */
  static Dataset<Row> images(Dataset<Row> rows) {
    Set<String> there = Set.of(rows.columns());
    Dataset<Row> images = rows;
    images = with(images, there, BronzeColumns.COMMAND_ID, DataTypes.IntegerType);
    images =
        with(
            images,
            there,
            BronzeColumns.UNKNOWN_COLUMNS,
            DataTypes.createArrayType(DataTypes.StringType));
    return UnknownNames.spelt(images, captured(rows.columns()))
        .withColumn(BronzeColumns.HISTORY, coalesce(Names.col(BronzeColumns.HISTORY), lit(0)));
  }

  private static Dataset<Row> with(
      Dataset<Row> rows, Set<String> there, String name, DataType type) {
    return there.contains(name) ? rows : rows.withColumn(name, lit(null).cast(type));
  }

  /** Changes after a position. */
  static Column changesAfter(Position position) {
    return Names.col(BronzeColumns.OPERATION)
        .notEqual(BronzeColumns.SNAPSHOT_ROW)
        .and(
            position.isBefore(
                Names.col(BronzeColumns.HISTORY), Names.col(BronzeColumns.START_LSN)));
  }

  /** Rows of snapshots that stand at this position or later. */
  static Column snapshotsFrom(Position position) {
    Column stands = coalesce(Names.col(BronzeColumns.SNAPSHOT), Names.col(BronzeColumns.START_LSN));
    return Names.col(BronzeColumns.OPERATION)
        .equalTo(BronzeColumns.SNAPSHOT_ROW)
        .and(not(position.isAfter(Names.col(BronzeColumns.HISTORY), stands)));
  }

  /** Rows of silver whose image is older than a position. */
  static Column isBefore(Position position) {
    return isBefore(position, Names::col);
  }

  /**
   * Whether what has these columns is older than a position.
   *
   * @param column finds a column by its name
   */
  static Column isBefore(Position position, Function<String, Column> column) {
    return position.isAfter(
        column.apply(BronzeColumns.HISTORY), column.apply(BronzeColumns.START_LSN));
  }

  /**
   * What a look at images tells of them. A Spark job that reads their keys and metadata.
   *
   * @param rows how many there are
   * @param stamp the lowest position of a snapshot row; null: there is none
   * @param unknown columns that some image doesn't carry
   */
  record Look(long rows, @Nullable Position stamp, Set<String> unknown, KeySpan span) {
    static Look at(Dataset<Row> images, List<String> keys) {
      String key = keys.get(0);
      DataType type = images.schema().apply(key).dataType();
      Column counted = KeySpan.counted(Names.col(key), type);
      Column place = struct(Names.col(BronzeColumns.HISTORY), Names.col(BronzeColumns.START_LSN));
      Row row =
          images
              .agg(
                  count(lit(1)),
                  min(
                      when(
                          Names.col(BronzeColumns.OPERATION).equalTo(BronzeColumns.SNAPSHOT_ROW),
                          place)),
                  flatten(collect_set(Names.col(BronzeColumns.UNKNOWN_COLUMNS))),
                  count(Names.col(key)),
                  min(counted),
                  max(counted))
              .head();
      Row stamp = row.getStruct(1);
      boolean hasNull = row.getLong(3) < row.getLong(0);
      Set<String> unknown = new HashSet<>();
      unknown.addAll(row.getList(2));
      return new Look(
          row.getLong(0),
          stamp == null ? null : new Position(stamp.getInt(0), Lsn.parse(stamp.getString(1))),
          unknown,
          hasNull ? new KeySpan(key, null, null) : KeySpan.of(key, type, row.get(4), row.get(5)));
    }
  }

  /** The captured columns among bronze's. */
  static List<String> captured(String[] columns) {
    return Arrays.stream(columns).filter(name -> !BronzeColumns.isMetadata(name)).toList();
  }
}
