package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.pipeline.ApplyResult;
import io.github.mssqlcdc.pipeline.CdcStream;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * {@code applyChanges} of a batch into a large silver table, against a MERGE of the same changes
 * written by hand into a table of the same making. {@code -Dsilver.keys} and {@code
 * -Dsilver.changes} make it smaller.
 */
final class SilverBenchmark implements Benchmark {
  private static final long KEYS = Long.getLong("silver.keys", 10_000_000L);
  private static final long CHANGES = Long.getLong("silver.changes", 100_000L);
  private static final int WARM_UPS = 1;
  private static final int RUNS = 3;
  private static final double MOST = 1.3;

  private static final String BRONZE_COLUMNS =
      "CAST(NULL AS BIGINT) AS _batch_id, CAST(%s AS STRING) AS _snapshot,"
          + " CAST(NULL AS INT) AS _chunk, 0 AS _history";
  private static final String VALUES =
      "concat('customer ', k %% 10007, ' of round ', %d) AS customer,"
          + " CAST(k * 1.25 AS DECIMAL(18,2)) AS amount, concat('note ', k, ' ', %d) AS note";

  private final SparkSession spark = TestSession.get();
  private int round;

  @Override
  public String name() {
    return "silver";
  }

  @Override
  public Result run() throws Exception {
    try (Scratch scratch = new Scratch()) {
      Tables tables =
          new Tables(scratch.path("bronze"), scratch.path("silver"), scratch.path("theirs"));
      append(
          tables,
          snapshot(),
          "{\"snapshot\": \"ci\", \"lsn\": \"%s\", \"commit_ts\": null,"
              + " \"history\": 0, \"at\": null}");
      var unused = apply(tables);
      spark.sql(
          "CREATE TABLE delta.`%s` USING delta CLUSTER BY (id) TBLPROPERTIES"
                  .formatted(tables.theirs)
              + " ('delta.enableDeletionVectors' = 'true') AS SELECT * FROM delta.`%s`"
                  .formatted(tables.silver));
      Comparison comparison =
          Comparison.inTurn(
              "%,d keys, %,d changes".formatted(KEYS, CHANGES),
              Comparison.Better.LOWER,
              1 / MOST,
              WARM_UPS,
              RUNS,
              () -> ours(tables),
              () -> theirs(tables));
      requireEqual(tables);
      return new Result(name(), "ms", List.of(comparison));
    }
  }

  private record Tables(String bronze, String silver, String theirs) {}

  private Sample ours(Tables tables) throws Exception {
    round++;
    append(
        tables,
        changes(),
        "{\"app_id\": \"a\", \"batch_id\": "
            + round
            + ", \"start_lsn\": \"0x00\", \"end_lsn\": \"%s\", \"history\": 0}");
    return Meter.process(
            () -> {
              var unused = apply(tables);
            })
        .millis();
  }

  private Sample theirs(Tables tables) throws Exception {
    return Meter.process(
            () ->
                spark.sql(
                    """
                    MERGE INTO delta.`%s` t USING (
                      SELECT * FROM (
                        SELECT *, row_number() OVER (PARTITION BY id ORDER BY _start_lsn DESC,
                          _command_id DESC, _seqval DESC, _operation DESC) AS nth
                        FROM delta.`%s` WHERE _start_lsn = '%s')
                      WHERE nth = 1) s
                    ON t.id = s.id
                    WHEN MATCHED AND s._operation = 1 THEN DELETE
                    WHEN MATCHED THEN UPDATE SET customer = s.customer, amount = s.amount,
                      note = s.note, _start_lsn = s._start_lsn, _commit_ts = s._commit_ts,
                      _history = s._history
                    WHEN NOT MATCHED AND s._operation <> 1 THEN INSERT
                      (id, customer, amount, note, _start_lsn, _commit_ts, _history)
                      VALUES (s.id, s.customer, s.amount, s.note, s._start_lsn, s._commit_ts,
                        s._history)
                    """
                        .formatted(tables.theirs, tables.bronze, lsn())))
        .millis();
  }

  private ApplyResult apply(Tables tables) {
    Map<String, String> options =
        Map.of(
            "url", "jdbc:sqlserver://nobody.invalid;databaseName=none",
            "user", "u",
            "password", "p",
            "captureInstance", "ci");
    return CdcStream.of(spark, options).applyChanges(tables.bronze, tables.silver).keys("id").run();
  }

  private Dataset<Row> snapshot() {
    return spark.sql(
        "SELECT 'ci' AS _capture_instance, '%s' AS _start_lsn, CAST(NULL AS STRING) AS _seqval,"
                .formatted(lsn())
            + " 0 AS _operation, CAST(NULL AS INT) AS _command_id,"
            + " TIMESTAMP_NTZ '2026-01-01 00:00:00' AS _commit_ts, id AS id, "
            + VALUES.formatted(round, round)
            + ", "
            + BRONZE_COLUMNS.formatted("'" + lsn() + "'")
            + " FROM (SELECT id, id AS k FROM range(%d))".formatted(KEYS));
  }

  /** Updates all over the table, two images each; deletes and new rows, a tenth each. */
  private Dataset<Row> changes() {
    return spark.sql(
        "SELECT 'ci' AS _capture_instance, '%s' AS _start_lsn,".formatted(lsn())
            + " concat('0x', lpad(hex(k), 20, '0')) AS _seqval, _operation,"
            + " 1 AS _command_id, TIMESTAMP_NTZ '2026-01-01 00:00:00' AS _commit_ts, id, "
            + VALUES.formatted(round, round)
            + ", "
            + BRONZE_COLUMNS.formatted("NULL")
            + " FROM (SELECT k, explode(CASE k % 10 WHEN 0 THEN array(1) WHEN 1 THEN array(2)"
            + " ELSE array(3, 4) END) AS _operation,"
            + " CASE WHEN k %% 10 = 1 THEN %d + k ELSE (k * %d + %d) %% %d END AS id"
                .formatted(KEYS + round * CHANGES, Math.max(1, KEYS / CHANGES), 7919L * round, KEYS)
            + " FROM (SELECT id AS k FROM range(%d)))".formatted(CHANGES));
  }

  private void append(Tables tables, Dataset<Row> rows, String note) {
    rows.write()
        .format("delta")
        .mode("append")
        .option("userMetadata", note.formatted(lsn()))
        .save(tables.bronze);
  }

  private String lsn() {
    return Lsn.of(BigInteger.valueOf(100L + round)).toString();
  }

  private void requireEqual(Tables tables) {
    long different =
        spark
            .sql(
                "SELECT * FROM delta.`%s` EXCEPT SELECT * FROM delta.`%s`"
                    .formatted(tables.silver, tables.theirs))
            .count();
    if (different > 0) {
      throw new IllegalStateException(different + " rows differ from the MERGE by hand");
    }
  }
}
