package io.github.mssqlcdc.drill;

import static org.apache.spark.sql.functions.col;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.ReconcileResult;
import io.github.mssqlcdc.options.OnDataLoss;
import io.github.mssqlcdc.pipeline.CdcStream;
import io.github.mssqlcdc.testkit.delta.StreamTables;
import io.github.mssqlcdc.testkit.history.Life;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * What the library makes of a {@link DrilledTable}, in tables by path.
 *
 * @param life how its snapshots are taken
 */
record DrilledLake(DrilledTable table, Life life, Path folder) {
  private static final String APP_ID = "drill";
  private static final int CHUNK_ROWS = 3;
  private static final int BUCKET_ROWS = 4;
  private static final int DELETE = 1;
  private static final int BEFORE = 3;

  /**
   * A process of the stream, up to what is captured when it begins.
   *
   * @param commits of a batch at most
   */
  void stream(int commits) throws Exception {
    forgetUnplanned();
    Map<String, String> options = table.options();
    options.put("maxCommitsPerBatch", String.valueOf(commits));
    CdcStream.of(TestSession.get(), options)
        .toDelta(path("bronze"))
        .appId(APP_ID)
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .bootstrap(true)
        .snapshot(life.mode())
        .onDataLoss(OnDataLoss.RESNAPSHOT)
        .resnapshotInterval(Duration.ZERO)
        .snapshotOnSwitch(life.snapshotOnSwitch())
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();
  }

  /** Of a crash in its very first file Spark's log keeps a trace that Spark itself refuses. */
  private void forgetUnplanned() throws IOException {
    Path first = Path.of(path("checkpoint"));
    List<Path> all = new ArrayList<>(List.of(first));
    Path later = first.resolve("_generations");
    if (Files.exists(later)) {
      try (Stream<Path> generations = Files.list(later)) {
        generations.forEach(all::add);
      }
    }
    for (Path checkpoint : all) {
      if (!Files.exists(checkpoint.resolve("offsets/0"))) {
        for (String spark : List.of("metadata", "offsets", "commits", "sources")) {
          FileUtils.deleteQuietly(checkpoint.resolve(spark).toFile());
        }
      }
    }
  }

  /** A call of backfill, which finds nothing to do where no chunked snapshot is open. */
  void backfill() {
    if (Files.exists(Path.of(path("facts")))) {
      var unused =
          cdc()
              .backfill(path("bronze"))
              .appId(APP_ID)
              .factsTable(path("facts"))
              .chunkRows(CHUNK_ROWS)
              .run();
    }
  }

  void apply() {
    if (Files.exists(Path.of(path("facts")))) {
      var unused =
          cdc()
              .applyChanges(path("bronze"), path("silver"))
              .keys("id")
              .appId(APP_ID)
              .factsTable(path("facts"))
              .run();
    }
  }

  ReconcileResult reconcile() {
    return cdc()
        .reconcile(path("silver"))
        .bronze(path("bronze"))
        .appId(APP_ID)
        .factsTable(path("facts"))
        .bucketRows(BUCKET_ROWS)
        .sample(1)
        .captureWait(Duration.ZERO)
        .run();
  }

  private CdcStream cdc() {
    return CdcStream.of(TestSession.get(), table.options());
  }

  /** Silver's rows, as {@link DrilledTable#rows} has the source's. */
  Map<Integer, Map<String, @Nullable String>> silver() {
    Map<Integer, Map<String, @Nullable String>> rows = new TreeMap<>();
    read("silver").collectAsList().forEach(row -> rows.put(row.getAs("id"), values(row)));
    return rows;
  }

  void inSilver(String sql) {
    var unused = TestSession.get().sql(sql.replace("$silver", "delta.`" + path("silver") + "`"));
  }

  /** Where the snapshot stands that a rebuild begins with, and the stream that began with it. */
  record Base(int history, Lsn lsn, String sinkId) {}

  Base base() {
    String[] newest =
        sql("SELECT CAST(get_json_object(detail, '$.history') AS INT) AS h, end_lsn, app_id FROM"
                + " $facts WHERE event IN ('bootstrap', 'resnapshot', 'switch_snapshot') ORDER BY h"
                + " DESC, end_lsn DESC LIMIT 1")
            .get(0)
            .split("\\|");
    return new Base(Integer.parseInt(newest[0]), Lsn.parse(newest[1]), newest[2]);
  }

  /**
   * Values that an event says are in no change table.
   *
   * @param from null: since the column is there
   */
  record Gap(String column, @Nullable Lsn from, Lsn to) {
    boolean has(String name, Lsn written) {
      return column.equals(name)
          && written.isBefore(to)
          && (from == null || !written.isBefore(from));
    }
  }

  List<Gap> gaps(Base base) {
    return sql(
            "SELECT get_json_object(detail, '$.column'), coalesce(get_json_object(detail,"
                + " '$.from_lsn'), ''), end_lsn FROM $facts WHERE event = 'column_gap' AND app_id ="
                + " '"
                + base.sinkId
                + "'")
        .stream()
        .map(row -> row.split("\\|"))
        .map(of -> new Gap(of[0], of[1].isEmpty() ? null : Lsn.parse(of[1]), Lsn.parse(of[2])))
        .filter(gap -> base.lsn.isBefore(gap.to))
        .toList();
  }

  private List<String> sql(String query) {
    return new StreamTables(path("bronze"), path("facts")).sql(query);
  }

  /** How many change rows stand in bronze more than once. */
  long doubled() {
    return read("bronze")
        .where("_operation > 0")
        .groupBy("_history", "_start_lsn", "_command_id", "_seqval", "_operation", "id")
        .count()
        .where("count > 1")
        .count();
  }

  /** The latest image of each key; an unknown value is the newest known one before it. */
  Map<Integer, Map<String, @Nullable String>> rebuilt(Base base) {
    Dataset<Row> images =
        read("bronze")
            .where(col("_history").equalTo(base.history))
            .where(
                col("_snapshot")
                    .equalTo(base.lsn.toString())
                    .or(col("_operation").gt(0).and(col("_start_lsn").gt(base.lsn.toString()))))
            .orderBy(
                col("_start_lsn"),
                col("_command_id").asc_nulls_first(),
                col("_seqval").asc_nulls_first(),
                col("_operation"));
    Map<Integer, Map<String, @Nullable String>> rows = new TreeMap<>();
    for (Row image : images.collectAsList()) {
      int id = image.getAs("id");
      int operation = image.getAs("_operation");
      if (operation == DELETE) {
        rows.remove(id);
      } else if (operation != BEFORE) {
        Map<String, @Nullable String> values = values(image);
        Map<String, @Nullable String> before = rows.getOrDefault(id, Map.of());
        unknown(image).forEach(column -> values.put(column, before.get(column)));
        rows.put(id, values);
      }
    }
    return rows;
  }

  private static List<String> unknown(Row image) {
    int at = List.of(image.schema().fieldNames()).indexOf("_unknown_columns");
    return at < 0 || image.isNullAt(at) ? List.of() : image.getList(at);
  }

  /** Those of columns that bronze doesn't have aren't among them. */
  private Map<String, @Nullable String> values(Row row) {
    Map<String, @Nullable String> values = new HashMap<>();
    List<String> there = List.of(row.schema().fieldNames());
    table.columns().stream()
        .filter(there::contains)
        .forEach(column -> values.put(column, row.getAs(column)));
    return values;
  }

  private Dataset<Row> read(String what) {
    return TestSession.get().read().format("delta").load(path(what));
  }

  private String path(String what) {
    return folder.resolve(what).toString();
  }
}
