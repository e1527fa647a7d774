package io.github.mssqlcdc.reconcile;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_json;
import static org.apache.spark.sql.functions.xxhash64;

import io.github.mssqlcdc.bronze.BronzeColumns;
import io.github.mssqlcdc.delta.table.ColumnNames;
import io.github.mssqlcdc.metric.ReconcileFailure.Type;
import io.github.mssqlcdc.metric.ReconcileResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * Compares rows of both sides by a hash of each column. What is joined and moved is the key and the
 * hashes, so that wide values stay where they are read.
 *
 * @param keys names of the columns that identify a row
 * @param columns names of the others, as both sides have them
 * @param silver silver's schema: the source's values are compared in its types
 */
record RowComparison(List<String> keys, List<String> columns, StructType silver) {
  private static final String NUMBER = "_reconcile_number";
  private static final String HASHES = "_reconcile_hashes";
  private static final String LSN = "_reconcile_lsn";
  private static final String NOT_CARRIED = "_reconcile_unknown";
  private static final Map<String, String> ALL_FIELDS = Map.of("ignoreNullFields", "false");

  /** The key as compact JSON; NULLs are in it. */
  Column json(BiFunction<StructType, String, Column> value) {
    return to_json(
        struct(keys.stream().map(key -> value.apply(silver, key).as(key)).toArray(Column[]::new)),
        ALL_FIELDS);
  }

  /** The same of rows that have the key's columns. */
  Column json() {
    return json(RowComparison::inSilversType);
  }

  /**
   * @param source rows of the source, with the number of their bucket in {@code chunk}
   * @param target rows of silver, as {@link #numbered} gives them
   * @return at most one more than are told of
   */
  List<RowDifference> differences(Dataset<Row> source, Column chunk, Dataset<Row> target) {
    Dataset<Row> ours = hashed(source, chunk, lit(null).cast("string"), noNames());
    Dataset<Row> theirs =
        hashed(
            target,
            col(NUMBER),
            col(BronzeColumns.START_LSN),
            hasUnknown() ? col(BronzeColumns.UNKNOWN_COLUMNS) : noNames());
    Column same = lit(true);
    for (String key : keys) {
      same =
          same.and(
              ours.col(ColumnNames.quoted(key)).eqNullSafe(theirs.col(ColumnNames.quoted(key))));
    }
    return ours
        .join(theirs, same, "full_outer")
        .where(
            ours.col(HASHES)
                .isNull()
                .or(theirs.col(HASHES).isNull())
                .or(ours.col(HASHES).notEqual(theirs.col(HASHES))))
        .select(
            coalesce(ours.col(NUMBER), theirs.col(NUMBER)),
            json(
                (schema, key) ->
                    coalesce(
                        ours.col(ColumnNames.quoted(key)), theirs.col(ColumnNames.quoted(key)))),
            ours.col(HASHES),
            theirs.col(HASHES),
            theirs.col(LSN),
            theirs.col(NOT_CARRIED))
        .limit(ReconcileResult.MOST_FAILURES + 1)
        .collectAsList()
        .stream()
        .map(this::difference)
        .toList();
  }

  /** Silver's rows in these buckets, with their number. */
  static Dataset<Row> numbered(Dataset<Row> rows, KeyBuckets buckets, List<Bucket> compared) {
    StructType numbers = new StructType().add("_reconcile_of", "bigint").add(NUMBER, "int");
    List<Row> list = new ArrayList<>();
    for (int i = 0; i < compared.size(); i++) {
      list.add(org.apache.spark.sql.RowFactory.create(compared.get(i).number(), i));
    }
    Dataset<Row> chosen = rows.sparkSession().createDataFrame(list, numbers);
    Dataset<Row> all = buckets.number(rows);
    return all.join(
        broadcast(chosen), all.col(KeyBuckets.BUCKET).eqNullSafe(chosen.col("_reconcile_of")));
  }

  private Dataset<Row> hashed(Dataset<Row> rows, Column number, Column lsn, Column unknown) {
    List<Column> selected = new ArrayList<>();
    keys.forEach(key -> selected.add(inSilversType(silver, key).as(key)));
    selected.add(number.as(NUMBER));
    selected.add(lsn.as(LSN));
    selected.add(unknown.as(NOT_CARRIED));
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
    return col(ColumnNames.quoted(name)).cast(silver.apply(name).dataType());
  }

  private static Column noNames() {
    return lit(null).cast("array<string>");
  }

  private boolean hasUnknown() {
    return List.of(silver.fieldNames()).contains(BronzeColumns.UNKNOWN_COLUMNS);
  }

  private RowDifference difference(Row row) {
    List<Long> ours = row.isNullAt(2) ? null : row.getList(2);
    List<Long> theirs = row.isNullAt(3) ? null : row.getList(3);
    List<String> different = new ArrayList<>();
    if (ours != null && theirs != null) {
      for (int i = 0; i < columns.size(); i++) {
        if (!ours.get(i).equals(theirs.get(i))) {
          different.add(columns.get(i));
        }
      }
    }
    List<String> notCarried = row.isNullAt(5) ? List.of() : row.getList(5);
    return new RowDifference(
        row.getInt(0),
        row.getString(1),
        ours == null
            ? Type.MISSING_SOURCE
            : theirs == null ? Type.MISSING_TARGET : Type.RECORD_DIFF,
        row.getString(4),
        different,
        different.stream().filter(notCarried::contains).toList());
  }
}
