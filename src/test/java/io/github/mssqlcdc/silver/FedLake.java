package io.github.mssqlcdc.silver;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;

import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * A bronze table with columns of the test's own that is fed by SQL, and silver beside it.
 *
 * @param columns the captured ones
 */
record FedLake(Path folder, String instance, StructType columns, List<String> keys) {
  private static final StructType OURS =
      StructType.fromDDL(
          "_operation INT, _start_lsn STRING, _command_id INT, _seqval STRING, _unknown_columns"
              + " ARRAY<STRING>, _commit_ts TIMESTAMP_NTZ, _capture_instance STRING, _snapshot"
              + " STRING, _chunk INT, _history INT");

  private static final SparkSession SPARK = TestSession.get();

  static FedLake of(Path folder, String columns, String... keys) {
    return new FedLake(folder, "dbo_t", StructType.fromDDL(columns), List.of(keys));
  }

  LakeTable bronze() {
    return table("bronze");
  }

  LakeTable silver() {
    return table("silver");
  }

  private LakeTable table(String name) {
    return LakeTable.of(SPARK, new DeltaTableRef(folder.resolve(name).toString()));
  }

  /**
   * A micro-batch.
   *
   * @param images in SQL: operation, LSN as a number, names of unknown columns or NULL, and values
   */
  void batch(int end, String... images) {
    append(
        "{\"app_id\": \"a\", \"batch_id\": %d, \"start_lsn\": \"%s\", \"end_lsn\": \"%s\", \"history\": 0}"
            .formatted(end, SilverHistory.lsn(0), SilverHistory.lsn(end)),
        images);
  }

  /** A whole snapshot, its rows as in {@link #batch}. */
  void snapshot(int stamp, String... rows) {
    append(
        "{\"snapshot\": \"%s\", \"lsn\": \"%s\", \"commit_ts\": null, \"history\": 0, \"at\": null, \"high_lsn\": \"%s\"}"
            .formatted(instance, SilverHistory.lsn(stamp), SilverHistory.lsn(stamp)),
        rows);
  }

  private void append(String note, String... images) {
    String names =
        IntStream.range(0, columns.size()).mapToObj(i -> ", v" + i).collect(Collectors.joining());
    List<Column> selected =
        Arrays.stream(OURS.fields()).map(this::ours).collect(Collectors.toList());
    for (int i = 0; i < columns.size(); i++) {
      StructField field = columns.fields()[i];
      selected.add(col("v" + i).cast(field.dataType()).as(field.name()));
    }
    SPARK
        .sql(
            "SELECT * FROM VALUES ("
                + String.join("), (", images)
                + ") AS v(op, lsn, unknown"
                + names
                + ")")
        .select(selected.toArray(Column[]::new))
        .coalesce(1)
        .write()
        .format("delta")
        .mode("append")
        .option("userMetadata", note)
        .save(bronze().ref().text());
  }

  private Column ours(StructField field) {
    String lsn = "concat('0x', lpad(hex(lsn), 20, '0'))";
    Column value =
        switch (field.name()) {
          case "_operation" -> col("op");
          case "_start_lsn" -> expr(lsn);
          case "_command_id" -> expr("if(op = 0, null, 1)");
          case "_seqval" -> expr("if(op = 0, null, " + lsn + ")");
          case "_unknown_columns" -> col("unknown");
          case "_commit_ts" -> expr("TIMESTAMP_NTZ'2026-01-01' + make_dt_interval(0, 0, lsn)");
          case "_capture_instance" -> lit(instance);
          case "_history" -> lit(0);
          default -> lit(null);
        };
    return value.cast(field.dataType()).as(field.name());
  }

  Applied apply() {
    return apply(position -> true);
  }

  /**
   * @param counts whether a whole snapshot wasn't given up
   */
  Applied apply(Predicate<Position> counts) {
    return new ApplyChanges(bronze(), silver(), keys).run(null, counts);
  }

  /** Silver's captured columns as text, values with a bar between; NULL is a dash. */
  List<String> rows() {
    return silver()
        .read()
        .selectExpr(
            Arrays.stream(columns.fieldNames())
                .map(name -> "coalesce(CAST(`" + name + "` AS STRING), '-')")
                .collect(Collectors.joining(", ", "concat_ws('|', ", ")")))
        .collectAsList()
        .stream()
        .map(row -> row.getString(0))
        .sorted()
        .toList();
  }

  static void drop(LakeTable table) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(table.ref().text()))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    DeltaLog.clearCache();
  }

  /** Runs a statement on $silver and $bronze. */
  void sql(String statement) {
    var unused =
        SPARK
            .sql(
                statement
                    .replace("$silver", silver().ref().sql())
                    .replace("$bronze", bronze().ref().sql()))
            .collectAsList();
  }
}
