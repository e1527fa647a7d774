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
    return LakeTable.of(spark, new DeltaTableRef(folder.resolve("silver").toString()));
  }

  Path silverFolder() {
    return folder.resolve("silver");
  }

  void batch(List<Row> rows, int history, int end) {
    append(
        rows,
        "{\"app_id\": \"a\", \"batch_id\": %d, \"start_lsn\": \"%s\", \"end_lsn\": \"%s\", \"history\": %d}"
            .formatted(batch++, lsn(0), lsn(end), history));
  }

  void whole(List<Row> rows, int history, int stamp) {
    append(
        rows,
        "{\"snapshot\": \"dbo_t\", \"lsn\": \"%s\", \"commit_ts\": null, \"history\": %d, \"at\": null}"
            .formatted(lsn(stamp), history));
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
   * Rows of silver that aren't so in the source, or the other way round; a few of them. A value
   * that silver says it doesn't know is none.
   */
  List<String> differences(Map<Integer, Map<Integer, Source.Values>> state) {
    Map<String, String> source = new TreeMap<>();
    state.forEach(
        (table, rows) ->
            rows.forEach(
                (id, values) -> source.put(table + "|" + id, values.a() + "|" + values.body())));
    List<String> differences = new ArrayList<>();
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
        differences.add(key + " is " + found + ", not " + expected);
      }
    }
    source.forEach((key, values) -> differences.add(key + " is missing: " + values));
    return differences.size() > 20 ? differences.subList(0, 20) : differences;
  }

  /** How many rows of the last comparison had a value that silver doesn't know. */
  int marked() {
    return marked;
  }
}
