package io.github.mssqlcdc.silver;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.collect_set;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.flatten;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.when;

import io.github.mssqlcdc.bronze.Position;
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
  private static final int SNAPSHOT_ROW = 0;

  private BronzeRows() {}

  /** The images, with the columns that an older bronze lacks, or an option left out. */
  static Dataset<Row> images(Dataset<Row> rows) {
    Set<String> there = Set.of(rows.columns());
    Dataset<Row> images = rows;
    images = with(images, there, Names.COMMAND_ID, DataTypes.IntegerType);
    images = with(images, there, Names.UNKNOWN, DataTypes.createArrayType(DataTypes.StringType));
    return images.withColumn(Names.HISTORY, coalesce(Names.col(Names.HISTORY), lit(0)));
  }

  private static Dataset<Row> with(
      Dataset<Row> rows, Set<String> there, String name, DataType type) {
    return there.contains(name) ? rows : rows.withColumn(name, lit(null).cast(type));
  }

  /** Changes after a position. */
  static Column changesAfter(Position position) {
    return Names.col(Names.OPERATION).notEqual(SNAPSHOT_ROW).and(isAfter(position));
  }

  /** Rows of snapshots that stand at this position or later. */
  static Column snapshotsFrom(Position position) {
    Column stands = coalesce(Names.col(Names.SNAPSHOT), Names.col(Names.START_LSN));
    return Names.col(Names.OPERATION)
        .equalTo(SNAPSHOT_ROW)
        .and(
            Names.col(Names.HISTORY)
                .gt(position.history())
                .or(
                    Names.col(Names.HISTORY)
                        .equalTo(position.history())
                        .and(stands.geq(position.lsn().toString()))));
  }

  private static Column isAfter(Position position) {
    return Names.col(Names.HISTORY)
        .gt(position.history())
        .or(
            Names.col(Names.HISTORY)
                .equalTo(position.history())
                .and(Names.col(Names.START_LSN).gt(position.lsn().toString())));
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
    Column history = column.apply(Names.HISTORY);
    return history
        .lt(position.history())
        .or(
            history
                .equalTo(position.history())
                .and(column.apply(Names.START_LSN).lt(position.lsn().toString())));
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
      Column place = struct(Names.col(Names.HISTORY), Names.col(Names.START_LSN));
      Row row =
          images
              .agg(
                  count(lit(1)),
                  min(when(Names.col(Names.OPERATION).equalTo(SNAPSHOT_ROW), place)),
                  flatten(collect_set(Names.col(Names.UNKNOWN))),
                  count(Names.col(key)),
                  min(Names.col(key)),
                  max(Names.col(key)))
              .head();
      Row stamp = row.getStruct(1);
      boolean hasNull = row.getLong(3) < row.getLong(0);
      Set<String> unknown = new HashSet<>();
      unknown.addAll(row.getList(2));
      return new Look(
          row.getLong(0),
          stamp == null ? null : new Position(stamp.getInt(0), Lsn.parse(stamp.getString(1))),
          unknown,
          hasNull ? new KeySpan(key, null, null) : new KeySpan(key, row.get(4), row.get(5)));
    }
  }

  /** The captured columns among bronze's. */
  static List<String> captured(String[] columns) {
    return Arrays.stream(columns).filter(name -> !METADATA.contains(name)).toList();
  }

  private static final Set<String> METADATA =
      Set.of(
          "_capture_instance",
          Names.START_LSN,
          Names.SEQVAL,
          Names.OPERATION,
          Names.COMMAND_ID,
          Names.COMMIT_TS,
          Names.UNKNOWN,
          "_update_mask",
          "_batch_id",
          Names.SNAPSHOT,
          "_chunk",
          Names.HISTORY);
}
