package io.github.mssqlcdc.reconcile;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.when;
import static org.apache.spark.sql.functions.xxhash64;

import io.github.mssqlcdc.bronze.BronzeColumns;
import io.github.mssqlcdc.delta.table.ColumnNames;
import io.github.mssqlcdc.delta.table.RowKey;
import io.github.mssqlcdc.metric.ReconcileResult;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * Compares rows of both sides by a hash of each column. What is moved is the key and the hashes, so
 * that wide values stay where they are read.
 *
 * @param keys names of the columns that identify a row
 * @param columns names of the others, as both sides have them
 * @param silver silver's schema: the source's values are compared in its types
 */
record RowComparison(List<String> keys, List<String> columns, StructType silver) {
  private static final String NUMBER = ColumnNames.WORKING + "number";
  private static final String COMPARED = ColumnNames.WORKING + "compared";
  private static final String IS_SOURCE = ColumnNames.WORKING + "is_source";
  private static final String HASHES = ColumnNames.WORKING + "hashes";
  private static final String LSN = ColumnNames.WORKING + "lsn";
  private static final String NOT_CARRIED = ColumnNames.WORKING + "unknown";
  private static final String OURS = ColumnNames.WORKING + "ours";
  private static final String THEIRS = ColumnNames.WORKING + "theirs";
  private static final String OUR_HASHES = OURS + "_hashes";
  private static final String THEIR_HASHES = THEIRS + "_hashes";

  /** The key as JSON, of rows that have its columns. */
  Column json() {
    return RowKey.json(
        keys.stream().map(key -> inSilversType(silver, key).as(key)).toArray(Column[]::new));
  }

  /**
   * @param source rows of the source, with the number of their bucket in {@code chunk}
   * @param target rows of silver, as {@link #numbered} gives them
   * @return at most one more than are told of
   */
  List<RowDifference> differences(Dataset<Row> source, Column chunk, Dataset<Row> target) {
    Dataset<Row> ours = hashed(source, chunk, lit(null).cast("string"), noNames(), lit(true));
    Dataset<Row> theirs =
        hashed(
            target,
            col(NUMBER),
            col(BronzeColumns.START_LSN),
            hasUnknown() ? col(BronzeColumns.UNKNOWN_COLUMNS) : noNames(),
            lit(false));
    return byKey(ours.union(theirs))
        .where(
            col(OURS)
                .notEqual(1)
                .or(col(THEIRS).notEqual(1))
                .or(col(OUR_HASHES).notEqual(col(THEIR_HASHES))))
        .select(
            col(NUMBER),
            RowKey.json(keys.stream().map(RowComparison::quoted).toArray(Column[]::new)),
            col(OURS),
            col(THEIRS),
            col(OUR_HASHES),
            col(THEIR_HASHES),
            col(LSN),
            col(NOT_CARRIED))
        .limit(ReconcileResult.MOST_FAILURES + 1)
        .collectAsList()
        .stream()
        .map(this::difference)
        .toList();
  }

  /** What both sides have of each key. A join would take two equal rows for one. */
  private Dataset<Row> byKey(Dataset<Row> both) {
    Column[] key = keys.stream().map(RowComparison::quoted).toArray(Column[]::new);
    Column isSource = col(IS_SOURCE);
    return both.repartition(key)
        .groupBy(key)
        .agg(
            coalesce(max(when(isSource, col(NUMBER))), max(col(NUMBER))).as(NUMBER),
            count_if(isSource).as(OURS),
            count_if(not(isSource)).as(THEIRS),
            max(when(isSource, col(HASHES))).as(OUR_HASHES),
            max(when(not(isSource), col(HASHES))).as(THEIR_HASHES),
            max(col(LSN)).as(LSN),
            max(col(NOT_CARRIED)).as(NOT_CARRIED));
  }

  /** Silver's rows in these buckets, with their number. */
  static Dataset<Row> numbered(Dataset<Row> rows, KeyBuckets buckets, List<Bucket> compared) {
    StructType numbers = new StructType().add(COMPARED, "bigint").add(NUMBER, "int");
    List<Row> list = new ArrayList<>();
    for (int i = 0; i < compared.size(); i++) {
      list.add(org.apache.spark.sql.RowFactory.create(compared.get(i).number(), i));
    }
    Dataset<Row> chosen = rows.sparkSession().createDataFrame(list, numbers);
    Dataset<Row> all = buckets.number(rows);
    return all.join(broadcast(chosen), all.col(KeyBuckets.BUCKET).eqNullSafe(chosen.col(COMPARED)));
  }

  private Dataset<Row> hashed(
      Dataset<Row> rows, Column number, Column lsn, Column unknown, Column isSource) {
    List<Column> selected = new ArrayList<>();
    keys.forEach(key -> selected.add(inSilversType(silver, key).as(key)));
    selected.add(number.as(NUMBER));
    selected.add(lsn.as(LSN));
    selected.add(unknown.as(NOT_CARRIED));
    selected.add(isSource.as(IS_SOURCE));
    selected.add(
        array(
                columns.stream()
                    .map(
                        name ->
                            xxhash64(
                                inSilversType(silver, name), inSilversType(silver, name).isNull()))
                    .toArray(Column[]::new))
            .cast("array<bigint>")
            .as(HASHES));
    return rows.select(selected.toArray(Column[]::new));
  }

  private static Column inSilversType(StructType silver, String name) {
    return quoted(name).cast(silver.apply(name).dataType());
  }

  private static Column quoted(String name) {
    return col(ColumnNames.quoted(name));
  }

  private static Column noNames() {
    return lit(null).cast("array<string>");
  }

  private boolean hasUnknown() {
    return List.of(silver.fieldNames()).contains(BronzeColumns.UNKNOWN_COLUMNS);
  }

  private RowDifference difference(Row row) {
    long ours = row.getLong(2);
    long theirs = row.getLong(3);
    List<String> different =
        ours == 1 && theirs == 1 ? different(row.getList(4), row.getList(5)) : List.of();
    List<String> notCarried = row.isNullAt(7) ? List.of() : row.getList(7);
    return new RowDifference(
        row.getInt(0),
        row.getString(1),
        RowDifference.type(ours, theirs),
        row.getString(6),
        different,
        different.stream().filter(notCarried::contains).toList(),
        ours,
        theirs);
  }

  private List<String> different(List<Long> ours, List<Long> theirs) {
    return IntStream.range(0, columns.size())
        .filter(i -> !ours.get(i).equals(theirs.get(i)))
        .mapToObj(columns::get)
        .toList();
  }
}
