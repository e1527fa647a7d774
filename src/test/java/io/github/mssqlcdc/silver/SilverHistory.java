package io.github.mssqlcdc.silver;

import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** A bronze table that is fed by hand, and silver beside it. */
final class SilverHistory {
  static final List<String> KEYS = List.of("grp", "id");
  static final StructType BRONZE =
      StructType.fromDDL(
          "_history INT, _start_lsn STRING, _command_id INT, _seqval STRING, _operation INT,"
              + " _commit_ts TIMESTAMP_NTZ, _unknown_columns ARRAY<STRING>, _snapshot STRING,"
              + " _chunk INT, grp INT, id INT, a INT, body STRING");

  private final SparkSession spark = TestSession.get();
  private final Path folder;
  private int batch;
  private int silvers;
  private int marked;

  SilverHistory(Path folder) {
    this.folder = folder;
  }

  static String lsn(long number) {
    return Lsn.of(BigInteger.valueOf(number)).toString();
  }

  static LocalDateTime time(int lsn) {
    return LocalDateTime.of(2026, 1, 1, 0, 0).plusMinutes(lsn);
  }

  static Position position(int history, int lsn) {
    return new Position(history, Lsn.of(BigInteger.valueOf(lsn)));
  }

  LakeTable bronze() {
    return LakeTable.of(spark, new DeltaTableRef(folder.resolve("bronze").toString()));
  }

  LakeTable silver() {
    return LakeTable.of(spark, new DeltaTableRef(silverFolder().toString()));
  }

  Path silverFolder() {
    return folder.resolve("silver" + silvers);
  }

  /** The next call makes a new one. */
  void forgetSilver() {
    silvers++;
  }

  void batch(List<Row> rows, int history, int end) {
    append(
        rows,
        "{\"app_id\": \"a\", \"batch_id\": %d, \"start_lsn\": \"%s\", \"end_lsn\": \"%s\", \"history\": %d}"
            .formatted(batch++, lsn(0), lsn(end), history));
  }

  void whole(List<Row> rows, int history, int stamp) {
    whole(rows, history, stamp, stamp);
  }

  void whole(List<Row> rows, int history, int stamp, int high) {
    append(
        rows,
        "{\"snapshot\": \"dbo_t\", \"lsn\": \"%s\", \"commit_ts\": null, \"history\": %d, \"at\": null, \"high_lsn\": \"%s\"}"
            .formatted(lsn(stamp), history, lsn(high)));
  }

  void wave(List<Row> rows, int history, int snapshot, int stamp, int high, List<String> bounds) {
    List<String> chunks = new ArrayList<>();
    for (int i = 0; i + 1 < bounds.size(); i++) {
      chunks.add(
          "{\"lo\": \"%s\", \"hi\": \"%s\", \"high_lsn\": \"%s\"}"
              .formatted(bounds.get(i), bounds.get(i + 1), lsn(high)));
    }
    append(
        rows,
        "{\"backfill\": \"%s\", \"lsn\": \"%s\", \"chunks\": %s, \"history\": %d}"
            .formatted(lsn(snapshot), lsn(stamp), chunks, history));
  }

  private void append(List<Row> rows, String note) {
    spark
        .createDataFrame(rows, BRONZE)
        .withColumn("_capture_instance", org.apache.spark.sql.functions.lit("dbo_t"))
        .coalesce(1)
        .write()
        .format("delta")
        .mode("append")
        .option("userMetadata", note)
        .save(folder.resolve("bronze").toString());
  }

  Applied apply(@Nullable OpenSnapshot snapshot) {
    return new ApplyChanges(bronze(), silver(), KEYS).run(snapshot, position -> true);
  }

  /**
   * A row of silver that isn't so in the source, or the other way round.
   *
   * @param table its number
   */
  record Difference(int table, String text) {}

  /** Lines of what a person shall see. */
  static String lines(Stream<?> rows) {
    return rows.map(Object::toString).collect(Collectors.joining("\n"));
  }

  /** All images that bronze has of a table, in their order. */
  List<Row> images(int table) {
    return bronze()
        .read()
        .where("grp = " + table)
        .orderBy("_history", "_start_lsn", "_command_id", "_seqval", "_operation")
        .collectAsList();
  }

  /** A value that silver says it doesn't know is no difference. */
  List<Difference> differences(Map<Integer, Map<Integer, Source.Values>> state) {
    Map<String, String> source = new TreeMap<>();
    state.forEach(
        (table, rows) ->
            rows.forEach(
                (id, values) -> source.put(table + "|" + id, values.a() + "|" + values.body())));
    List<Difference> differences = new ArrayList<>();
    marked = 0;
    for (Row row :
        silver().read().select("grp", "id", "a", "body", "_unknown_columns").collectAsList()) {
      String key = row.getInt(0) + "|" + row.getInt(1);
      String expected = source.remove(key);
      boolean isUnknown = !row.isNullAt(4);
      marked += isUnknown ? 1 : 0;
      String found = row.getInt(2) + "|" + row.getString(3);
      boolean isSame =
          expected != null
              && (isUnknown
                  ? row.isNullAt(3) && expected.startsWith(row.getInt(2) + "|")
                  : expected.equals(found));
      if (!isSame) {
        differences.add(new Difference(row.getInt(0), key + " is " + found + ", not " + expected));
      }
    }
    source.forEach(
        (key, values) ->
            differences.add(
                new Difference(
                    Integer.parseInt(key.substring(0, key.indexOf('|'))),
                    key + " is missing: " + values)));
    return differences;
  }

  /** How many rows of the last comparison had a value that silver doesn't know. */
  int marked() {
    return marked;
  }
}
