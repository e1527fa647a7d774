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
import java.util.TreeSet;
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

  void wave(List<Row> rows, int history, int snapshot, int stamp, List<String> bounds) {
    List<String> chunks = new ArrayList<>();
    for (int i = 0; i + 1 < bounds.size(); i++) {
      chunks.add("{\"lo\": \"%s\", \"hi\": \"%s\"}".formatted(bounds.get(i), bounds.get(i + 1)));
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

  /** Rows of silver that aren't so in the source, or the other way round; a few of them. */
  List<String> differences(Map<Integer, Map<Integer, Source.Values>> state) {
    TreeSet<String> silver = new TreeSet<>();
    for (Row row :
        silver().read().select("grp", "id", "a", "body", "_unknown_columns").collectAsList()) {
      String text = row.mkString("|");
      if (!silver.add(text)) {
        return List.of("twice: " + text);
      }
    }
    TreeSet<String> source = new TreeSet<>();
    state.forEach(
        (table, rows) ->
            rows.forEach(
                (id, values) ->
                    source.add(
                        table + "|" + id + "|" + values.a() + "|" + values.body() + "|null")));
    List<String> differences = new ArrayList<>();
    silver.stream()
        .filter(row -> !source.contains(row))
        .map("only in silver: "::concat)
        .forEach(differences::add);
    source.stream()
        .filter(row -> !silver.contains(row))
        .map("not in silver: "::concat)
        .forEach(differences::add);
    return differences.size() > 20 ? differences.subList(0, 20) : differences;
  }
}
