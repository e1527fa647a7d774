package io.github.mssqlcdc.silver;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.size;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_json;

import io.github.mssqlcdc.bronze.BronzeColumns;
import io.github.mssqlcdc.silver.Lives.Carried;
import io.github.mssqlcdc.silver.Lives.Image;
import io.github.mssqlcdc.silver.Lives.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Rows whose key an update has changed, where the after-image doesn't carry all values: those that
 * images under the old key carry go along. Keys of moved rows, and places of their images, are held
 * in the driver.
 *
 * @param keys columns that identify a row
 * @param columns the captured ones, keys among them
 */
record Moves(List<String> keys, List<String> columns, Reach reach) {
  private static final String KEY = "_key";
  private static final String PREFIX = "_from_";
  private static final String TARGET = "_to_";
  private static final List<String> PLACE =
      List.of(
          BronzeColumns.HISTORY,
          BronzeColumns.START_LSN,
          BronzeColumns.COMMAND_ID,
          BronzeColumns.SEQVAL);
  private static final StructType CARRIED =
      StructType.fromDDL(
          "_from_key STRING, _from_history INT, _from_start_lsn STRING, _from_command_id INT,"
              + " _from_seqval STRING, _from_operation INT, _to_key STRING, _to_history INT,"
              + " _to_start_lsn STRING, _to_command_id INT, _to_seqval STRING, _carried INT");

  /**
   * The images, and beside them those that tell of moved rows under their later keys.
   *
   * @param silver its rows, which tell what older images did; bronze's columns as far as it has
   *     them
   */
  Dataset<Row> carry(Dataset<Row> images, Dataset<Row> silver) {
    Dataset<Row> keyed = images.withColumn(KEY, key());
    List<Row> moved = moved(keyed);
    Dataset<Row> plain = images.withColumn(Names.CARRIED, lit(-1));
    if (moved.isEmpty()) {
      return plain;
    }
    SparkSession spark = images.sparkSession();
    Dataset<Row> involved =
        broadcast(spark.createDataFrame(moved, new StructType().add(KEY, DataTypes.StringType)));
    Dataset<Row> held =
        silver
            .withColumn(KEY, key())
            .join(involved, KEY)
            .withColumn(BronzeColumns.COMMAND_ID, lit(null).cast(DataTypes.IntegerType))
            .withColumn(BronzeColumns.SEQVAL, lit(null).cast(DataTypes.StringType))
            .withColumn(BronzeColumns.OPERATION, lit(0));
    Dataset<Row> all = keyed.join(involved, KEY).unionByName(held, true);
    List<Row> carried = carried(all);
    Dataset<Row> copies = copies(all, spark.createDataFrame(carried, CARRIED));
    return plain
        .unionByName(held.drop(KEY).withColumn(Names.CARRIED, lit(-1)), true)
        .unionByName(copies, true);
  }

  private Column key() {
    return to_json(struct(keys.stream().map(Names::col).toArray(Column[]::new)));
  }

  /** Both keys of each row that was moved to a place that doesn't carry all its values. */
  private static List<Row> moved(Dataset<Row> keyed) {
    Dataset<Row> before =
        keyed.where(Names.col(BronzeColumns.OPERATION).equalTo(3)).select(placeAnd(KEY)).as("b");
    Dataset<Row> after =
        keyed
            .where(Names.col(BronzeColumns.OPERATION).equalTo(4))
            .where(size(Names.col(BronzeColumns.UNKNOWN_COLUMNS)).gt(0))
            .select(placeAnd(KEY))
            .as("a");
    Column isPair =
        PLACE.stream()
            .map(name -> col("a." + name).eqNullSafe(col("b." + name)))
            .reduce(Column::and)
            .orElseThrow();
    Dataset<Row> pairs = before.join(after, isPair.and(col("a._key").notEqual(col("b._key"))));
    return pairs.select("a._key").union(pairs.select("b._key")).distinct().collectAsList();
  }

  private static Column[] placeAnd(String name) {
    return Stream.concat(PLACE.stream(), Stream.of(name)).map(Names::col).toArray(Column[]::new);
  }

  private List<Row> carried(Dataset<Row> all) {
    List<Image> images =
        all
            .select(
                Stream.concat(PLACE.stream(), Stream.of(KEY, BronzeColumns.OPERATION))
                    .map(Names::col)
                    .toArray(Column[]::new))
            .collectAsList()
            .stream()
            .map(
                row ->
                    new Image(
                        row.getString(4),
                        new Place(
                            row.getInt(0),
                            row.getString(1),
                            row.isNullAt(2) ? null : (Integer) row.getInt(2),
                            row.getString(3)),
                        row.getInt(5)))
            .toList();
    List<Row> rows = new ArrayList<>();
    for (Carried copy : Lives.carried(images, reach)) {
      Place from = copy.from().place();
      Place to = copy.to().place();
      rows.add(
          RowFactory.create(
              copy.from().key(),
              from.history(),
              from.lsn(),
              from.command(),
              from.seqval(),
              copy.from().operation(),
              copy.to().key(),
              to.history(),
              to.lsn(),
              to.command(),
              to.seqval(),
              rows.size()));
    }
    return rows;
  }

  /** The values of the older images, at the place and under the key of the after-image. */
  private Dataset<Row> copies(Dataset<Row> all, Dataset<Row> carried) {
    List<Column> values = new ArrayList<>();
    Stream.concat(
            columns.stream().filter(column -> !keys.contains(column)),
            Stream.of(BronzeColumns.UNKNOWN_COLUMNS))
        .map(Names::col)
        .forEach(values::add);
    Column isFrom = Names.col(KEY).equalTo(Names.col("_from_key"));
    for (String name : PLACE) {
      isFrom = isFrom.and(Names.col(name).eqNullSafe(Names.col(PREFIX + name.substring(1))));
    }
    isFrom = isFrom.and(Names.col(BronzeColumns.OPERATION).equalTo(Names.col("_from_operation")));
    List<Column> found = new ArrayList<>(values);
    for (String name :
        List.of("_to_key", "_to_history", "_to_start_lsn", "_to_command_id", "_to_seqval")) {
      found.add(Names.col(name));
    }
    found.add(Names.col(Names.CARRIED));
    Dataset<Row> sources =
        all.join(broadcast(carried), isFrom).select(found.toArray(Column[]::new));
    List<Column> target = new ArrayList<>();
    keys.stream().map(Names::col).forEach(target::add);
    PLACE.stream().map(Names::col).forEach(target::add);
    target.add(Names.col(BronzeColumns.COMMIT_TS));
    target.add(Names.col(KEY));
    Dataset<Row> targets =
        all.where(Names.col(BronzeColumns.OPERATION).equalTo(4))
            .select(target.toArray(Column[]::new));
    Column isTo = Names.col(KEY).equalTo(Names.col("_to_key"));
    for (String name : PLACE) {
      isTo = isTo.and(Names.col(name).eqNullSafe(Names.col(TARGET + name.substring(1))));
    }
    return targets
        .join(sources, isTo)
        .drop("_to_key", "_to_history", "_to_start_lsn", "_to_command_id", "_to_seqval", KEY)
        .withColumn(BronzeColumns.OPERATION, lit(ImageFold.CARRIED));
  }
}
