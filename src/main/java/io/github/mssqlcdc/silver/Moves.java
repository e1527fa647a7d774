package io.github.mssqlcdc.silver;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.size;

import io.github.mssqlcdc.bronze.BronzeColumns;
import io.github.mssqlcdc.delta.table.ColumnNames;
import io.github.mssqlcdc.delta.table.RowKey;
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
  private static final String KEY = ColumnNames.WORKING + "key";
  private static final String FROM = ColumnNames.WORKING + "from";
  private static final String TO = ColumnNames.WORKING + "to";
  private static final List<String> PLACE =
      List.of(
          BronzeColumns.HISTORY,
          BronzeColumns.START_LSN,
          BronzeColumns.COMMAND_ID,
          BronzeColumns.SEQVAL);

  /** Columns of {@link #FROM} and {@link #TO}; a key is there as text. */
  private static final StructType IMAGE =
      StructType.fromDDL(
          "key STRING, _history INT, _start_lsn STRING, _command_id INT, _seqval STRING,"
              + " _operation INT");

  private static final StructType CARRIED =
      new StructType().add(FROM, IMAGE).add(TO, IMAGE).add(Names.CARRIED, DataTypes.IntegerType);

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
    return RowKey.json(keys.stream().map(Names::col).toArray(Column[]::new));
  }

  /** Both keys of each row that was moved to a place that doesn't carry all its values. */
  private static List<Row> moved(Dataset<Row> keyed) {
    Dataset<Row> before =
        keyed
            .where(Names.col(BronzeColumns.OPERATION).equalTo(ImageFold.BEFORE))
            .select(placeAnd(KEY))
            .as("b");
    Dataset<Row> after =
        keyed
            .where(Names.col(BronzeColumns.OPERATION).equalTo(ImageFold.AFTER))
            .where(size(Names.col(BronzeColumns.UNKNOWN_COLUMNS)).gt(0))
            .select(placeAnd(KEY))
            .as("a");
    Column isPair =
        PLACE.stream()
            .map(name -> col("a." + name).eqNullSafe(col("b." + name)))
            .reduce(Column::and)
            .orElseThrow();
    Column from = col("b." + KEY);
    Column to = col("a." + KEY);
    Dataset<Row> pairs = before.join(after, isPair.and(to.notEqual(from)));
    return pairs.select(to).union(pairs.select(from)).distinct().collectAsList();
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
      rows.add(RowFactory.create(row(copy.from()), row(copy.to()), rows.size()));
    }
    return rows;
  }

  private static Row row(Image image) {
    Place place = image.place();
    return RowFactory.create(
        image.key(),
        place.history(),
        place.lsn(),
        place.command(),
        place.seqval(),
        image.operation());
  }

  /** The values of the older images, at the place and under the key of the after-image. */
  private Dataset<Row> copies(Dataset<Row> all, Dataset<Row> carried) {
    List<Column> values = new ArrayList<>();
    Stream.concat(
            columns.stream().filter(column -> !keys.contains(column)),
            Stream.of(BronzeColumns.UNKNOWN_COLUMNS))
        .map(Names::col)
        .forEach(values::add);
    List<Column> found = new ArrayList<>(values);
    found.add(Names.col(TO));
    found.add(Names.col(Names.CARRIED));
    Dataset<Row> sources =
        all.join(
                broadcast(carried),
                isAt(FROM)
                    .and(
                        Names.col(BronzeColumns.OPERATION)
                            .equalTo(Names.col(FROM).getField(BronzeColumns.OPERATION))))
            .select(found.toArray(Column[]::new));
    List<Column> target = new ArrayList<>();
    keys.stream().map(Names::col).forEach(target::add);
    PLACE.stream().map(Names::col).forEach(target::add);
    target.add(Names.col(BronzeColumns.COMMIT_TS));
    target.add(Names.col(KEY));
    Dataset<Row> targets =
        all.where(Names.col(BronzeColumns.OPERATION).equalTo(ImageFold.AFTER))
            .select(target.toArray(Column[]::new));
    return targets
        .join(sources, isAt(TO))
        .drop(TO, KEY)
        .withColumn(BronzeColumns.OPERATION, lit(ImageFold.CARRIED));
  }

  /** Whether a row has the key and the place of the image in this column. */
  private static Column isAt(String image) {
    Column isAt = Names.col(KEY).equalTo(Names.col(image).getField("key"));
    for (String name : PLACE) {
      isAt = isAt.and(Names.col(name).eqNullSafe(Names.col(image).getField(name)));
    }
    return isAt;
  }
}
