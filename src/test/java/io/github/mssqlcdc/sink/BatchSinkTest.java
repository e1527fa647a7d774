package io.github.mssqlcdc.sink;

import static io.github.mssqlcdc.testkit.delta.ChangeRows.lsn;
import static io.github.mssqlcdc.testkit.delta.ChangeRows.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.delta.table.Commit;
import io.github.mssqlcdc.delta.table.TransactionId;
import io.github.mssqlcdc.metric.BatchMeasure;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import java.util.List;
import java.util.UUID;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

final class BatchSinkTest extends SinkFixture {
  @Test
  void aBatchStandsInBronzeWithItsCommitNote() {
    plan(0, 2, measure());
    sink().call(rows(), 0L);

    assertThat(bronze().schema().fieldNames())
        .containsExactly(
            "_capture_instance",
            "_start_lsn",
            "_seqval",
            "_operation",
            "_command_id",
            "_commit_ts",
            "id",
            "name",
            "_batch_id",
            "_snapshot",
            "_chunk",
            "_history");
    assertThat(
            bronze()
                .read()
                .selectExpr(
                    "_capture_instance || '|' || _start_lsn || '|' || _operation || '|' || id ||"
                        + " name || '|' || _batch_id || '|' || _history",
                    "_snapshot",
                    "_chunk")
                .orderBy("_start_lsn", "_operation")
                .collectAsList())
        .extracting(row -> row.getString(0) + row.get(1) + row.get(2))
        .containsExactly(
            "dbo_orders|" + lsn(1) + "|2|1a|0|0nullnull",
            "dbo_orders|" + lsn(2) + "|1|2c|0|0nullnull",
            "dbo_orders|" + lsn(2) + "|3|1a|0|0nullnull",
            "dbo_orders|" + lsn(2) + "|4|1b|0|0nullnull");
    assertThat(bronze().properties())
        .containsEntry("mssql_cdc.schema_version", "1")
        .containsEntry(
            "delta.dataSkippingStatsColumns",
            "`_capture_instance`,`_start_lsn`,`_seqval`,`_operation`,`_command_id`,`_commit_ts`,"
                + "`id`,`_batch_id`,`_snapshot`,`_chunk`,`_history`");
    Commit commit = bronze().find(new TransactionId("orders-v1", 0)).orElseThrow();
    assertThat(commit.userMetadata())
        .isEqualTo(
            "{\"app_id\": \"orders-v1\", \"batch_id\": 0, \"start_lsn\": \""
                + lsn(0)
                + "\", \"end_lsn\": \""
                + lsn(2)
                + "\", \"end_commit_ts\": \"2026-10-01T12:00:02.000\", \"history\": 0, \"at\":"
                + " \"2026-10-01T09:00:02.000\"}");
  }

  @Test
  void metadataColumnsAreCommentedAndCapturedOnesAreNot() {
    plan(0, 2, measure());
    sink(null).call(rows(), 0L);
    assertThat(bronze().schema().fields())
        .allSatisfy(
            field ->
                assertThat(field.getComment().isDefined()).isEqualTo(field.name().startsWith("_")));
  }

  @Test
  void itsFactsHoldWhatWasMeasured() {
    plan(0, 2, measure());
    ledger.warn("first");
    ledger.warn("second");
    sink().call(rows(), 0L);

    Row row = facts().read().head();
    assertThat(
            row.getValuesMap(
                scala.jdk.javaapi.CollectionConverters.asScala(List.of(row.schema().fieldNames()))
                    .toSeq()))
        .satisfies(
            values -> {
              var map = scala.jdk.javaapi.CollectionConverters.asJava(values);
              assertThat(map)
                  .containsEntry("app_id", "orders-v1")
                  .containsEntry("batch_id", 0L)
                  .containsEntry("rows", 4L)
                  .containsEntry("min_lsn", lsn(1))
                  .containsEntry("max_lsn", lsn(2))
                  .containsEntry("min_commit_ts", time(1))
                  .containsEntry("max_commit_ts", time(2))
                  .containsEntry("deletes", 1L)
                  .containsEntry("inserts", 1L)
                  .containsEntry("updates", 1L)
                  .containsEntry("started_at", NOW)
                  .containsEntry("duration_ms", 0L)
                  .containsEntry("source_rtt_ms", 1.5)
                  .containsEntry("read_seconds", 0.25)
                  .containsEntry("read_mb", 2.5)
                  .containsEntry("network_wait_ms", 7L)
                  .containsEntry("retention_watermark_ts", time(0).minusHours(70).minusMinutes(3))
                  .containsEntry("retention_headroom_hours", 70.05)
                  .containsEntry("event", null)
                  .containsEntry("lost_from_ts", null)
                  .containsEntry("lost_to_ts", null)
                  .containsEntry("source_max_commit_ts", time(62))
                  .containsEntry("capture_lag_seconds", 2.5)
                  .containsEntry("ingestion_lag_seconds", 60.0)
                  .containsEntry("end_lsn", lsn(2))
                  .containsEntry("end_commit_ts", time(2))
                  .containsEntry("end_at", time(2).minusHours(3))
                  .containsEntry("detail", "{\"warnings\": [\"first\", \"second\"]}")
                  .containsEntry("target", bronzeName)
                  .containsEntry("written_at", NOW)
                  .hasSize(30);
            });
  }

  @Test
  void aBatchWithoutRowsWritesFactsOnly() {
    plan(0, 2, null);
    sink().call(noRows(), 0L);

    assertThat(bronze().exists()).isFalse();
    Row row =
        facts()
            .read()
            .select(
                "rows",
                "deletes",
                "inserts",
                "updates",
                "read_mb",
                "min_lsn",
                "max_commit_ts",
                "end_lsn")
            .head();
    assertThat(row.mkString("|")).isEqualTo("0|0|0|0|0.0|null|null|" + lsn(2));
  }

  @Test
  void rangesThatReadNothingLeaveNoCommitInBronze() {
    BatchSink sink = sink();
    plan(0, 2, measure());
    sink.call(rows(), 0L);
    plan(2, 5, new RangeMeasure(0, 0, 0, 0, 0, null, null, null, null, 0.1, null));
    sink.call(noRows(), 1L);

    assertThat(bronze().latestTransaction("orders-v1")).hasValue(0);
    assertThat(facts().read().count()).isEqualTo(2);
  }

  @Test
  void rangesThatDidNotReportAreCountedInBronze() {
    ledger.planned(offset(0), offset(2), 2, new BatchMeasure(null, 1.0, null, null, null));
    try (CapturedLog log = CapturedLog.of(BatchSink.class)) {
      sink().call(rows(), 0L);
      assertThat(log.warnings()).containsExactly("orders-v1: ranges of batch 0 did not report");
    }
    assertThat(facts().read().select("rows", "read_mb").head().mkString("|")).isEqualTo("4|null");
  }

  @Test
  void tablesByNameWorkAsPathsDo() {
    String suffix = UUID.randomUUID().toString().replace("-", "");
    bronzeName = "bronze_" + suffix;
    factsName = "facts_" + suffix;
    plan(0, 2, measure());
    sink().call(rows(), 0L);
    sink().call(rows(), 0L);
    assertThat(spark.table(bronzeName).count()).isEqualTo(4);
    assertThat(spark.table(factsName).select("target").head().getString(0)).isEqualTo(bronzeName);
  }
}
