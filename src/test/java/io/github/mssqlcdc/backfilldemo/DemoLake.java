package io.github.mssqlcdc.backfilldemo;

import io.github.mssqlcdc.metric.BackfillListener;
import io.github.mssqlcdc.metric.BackfillStatus;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.pipeline.CdcStream;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * The tables of a demo, and the two jobs on them.
 *
 * @param folder where they are
 */
record DemoLake(String folder) {
  private static final String APP_ID = "orders-v1";

  private static SparkSession spark() {
    return TestSession.compiled();
  }

  StreamingQuery stream(Map<String, String> options, SnapshotMode mode, Trigger trigger) {
    return CdcStream.of(spark(), options)
        .toDelta(folder + "/bronze")
        .appId(APP_ID)
        .checkpoint(folder + "/checkpoint")
        .factsTable(folder + "/facts")
        .trigger(trigger)
        .bootstrap(true)
        .snapshot(mode)
        .start();
  }

  BackfillStatus backfill(Map<String, String> options, long chunkRows, BackfillListener listener) {
    return CdcStream.of(spark(), options)
        .backfill(folder + "/bronze")
        .appId(APP_ID)
        .factsTable(folder + "/facts")
        .chunkRows(chunkRows)
        .targetWave(java.time.Duration.ofSeconds(10))
        .listener(listener)
        .run();
  }

  /** Whether a chunked snapshot is open already. */
  boolean isOpen() {
    return Path.of(folder, "facts", "_delta_log").toFile().exists()
        && count("SELECT count(*) FROM $facts WHERE event = 'snapshot_open'") > 0;
  }

  /** Rows that are in the table or in what is rebuilt from bronze, and not in the other. */
  long differences(Path dump) {
    spark()
        .read()
        .schema("id INT, customer STRING, amount INT")
        .option("sep", "|")
        .csv(dump.toString())
        .createOrReplaceTempView("source_table");
    spark()
        .sql(
            sql(
                "SELECT id, customer, amount FROM (SELECT b.*, row_number() OVER (PARTITION BY id"
                    + " ORDER BY _history DESC, _start_lsn DESC, _command_id DESC NULLS LAST,"
                    + " _seqval DESC NULLS LAST, _operation DESC) AS place FROM $bronze b WHERE"
                    + " _snapshot = (SELECT max(end_lsn) FROM $facts WHERE event = 'snapshot_open')"
                    + " OR (_operation > 0 AND _start_lsn > (SELECT max(end_lsn) FROM $facts WHERE"
                    + " event = 'snapshot_open'))) WHERE place = 1 AND _operation <> 1"))
        .createOrReplaceTempView("rebuilt");
    return count(
        "SELECT count(*) FROM (SELECT id, customer, amount FROM (SELECT *, 1 AS side FROM"
            + " source_table UNION ALL SELECT *, -1 AS side FROM rebuilt) GROUP BY ALL HAVING"
            + " sum(side) <> 0)");
  }

  /** Keys that more than one row of chunks has, and chunks that the facts don't tell of once. */
  long chunksNotOnce() {
    return count(
            "SELECT count(*) FROM (SELECT id FROM $bronze WHERE _operation = 0 GROUP BY id HAVING"
                + " count(*) > 1)")
        + count(
            "SELECT count(*) FROM (SELECT c.chunk FROM (SELECT get_json_object(detail, '$.chunk')"
                + " AS chunk, rows FROM $facts WHERE event = 'snapshot_chunk') c FULL JOIN (SELECT"
                + " _chunk, count(*) AS rows FROM $bronze WHERE _operation = 0 GROUP BY _chunk) b ON"
                + " c.chunk = b._chunk GROUP BY c.chunk, b._chunk HAVING count(*) > 1 OR"
                + " max(coalesce(c.rows, -1)) <> max(coalesce(b.rows, 0)))");
  }

  long count(String query) {
    return spark().sql(sql(query)).head().getLong(0);
  }

  /** The position that the stream has reached; empty text before the first batch. */
  String position() {
    List<Row> rows =
        spark().sql(sql("SELECT max(end_lsn) FROM $facts WHERE event IS NULL")).collectAsList();
    return rows.get(0).isNullAt(0) ? "" : rows.get(0).getString(0);
  }

  private String sql(String query) {
    return query
        .replace("$bronze", "delta.`" + folder + "/bronze`")
        .replace("$facts", "delta.`" + folder + "/facts`");
  }
}
