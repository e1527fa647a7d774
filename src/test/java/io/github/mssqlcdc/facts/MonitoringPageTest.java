package io.github.mssqlcdc.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queries of the monitoring guide, on facts of streams that are well and that aren't. */
@Tag("spark")
final class MonitoringPageTest {
  private static final Pattern SQL = Pattern.compile("```sql\n(.*?);\n```", Pattern.DOTALL);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();
  private final LocalDateTime now = LocalDateTime.now(Clock.systemUTC());

  @Test
  void itsQueriesFindTheStreamsThatNeedALook() throws IOException {
    String table = folder.resolve("facts").toString();
    write(FactsTable.open(LakeTable.of(spark, new DeltaTableRef(table))));
    List<String> queries =
        SQL.matcher(Files.readString(Path.of("docs/guides/monitoring.md")))
            .results()
            .map((MatchResult query) -> query.group(1))
            .map(query -> query.replace("ops.ingestion_facts", "delta.`" + table + "`"))
            .toList();
    assertThat(queries).hasSize(7);

    spark.sql(queries.get(0));
    assertThat(rows("SELECT app_id, batch_id, silent_seconds BETWEEN 0 AND 3000 FROM stream_state"))
        .containsExactlyInAnyOrder(
            "well|1|true",
            "silent|0|false",
            "behind|0|true",
            "stopped|0|true",
            "overtaken|0|true",
            "gap|2|true");
    assertThat(firsts(queries.get(1))).containsExactly("behind", "overtaken", "silent", "stopped");
    assertThat(rows(queries.get(2)))
        .containsExactly("gap|bronze|" + time(9) + "|" + time(8) + "|0x01|0x02|true");
    assertThat(rows(queries.get(3))).containsExactly("well|no such option|" + time(1));
    assertThat(firsts(queries.get(4))).containsExactly("gap");
    assertThat(rows("SELECT app_id, batches, rows, busy_seconds FROM (" + queries.get(5) + ")"))
        .contains("well|2|14|0.5", "silent|1|7|0.25");
    assertThat(rows(queries.get(6))).containsExactly("gap|1");
    spark.catalog().dropTempView("stream_state");
  }

  /** All in one commit: which is whose says the row. */
  private void write(FactsTable facts) {
    facts.appendBatch(
        "all",
        0,
        List.of(
            batch("well", 0),
            batch("well", 1)
                .with(
                    FactsColumn.DETAIL,
                    FactsTable.detail(Map.of("warnings", List.of("no such option")))),
            batch("silent", 0).with(FactsColumn.WRITTEN_AT, now.minusHours(2)),
            batch("behind", 0).with(FactsColumn.INGESTION_LAG_SECONDS, 3600.0),
            batch("stopped", 0).with(FactsColumn.CAPTURE_LAG_SECONDS, 3600.0),
            batch("overtaken", 0).with(FactsColumn.RETENTION_HEADROOM_HOURS, 3.0),
            event("well", FactsEvent.SNAPSHOT_OPEN, 5),
            event("well", FactsEvent.BOOTSTRAP, 4),
            event("gap", FactsEvent.SNAPSHOT_OPEN, 5),
            batch("gap", 0),
            batch("gap", 2),
            event("gap", FactsEvent.DATA_SKIPPED, 1)
                .with(FactsColumn.BATCH_ID, 2L)
                .with(FactsColumn.LOST_FROM_TS, at(9))
                .with(FactsColumn.LOST_TO_TS, at(8))
                .with(
                    FactsColumn.DETAIL,
                    "{\"from\": \"0x01\", \"to\": \"0x02\", \"certain\": true}")));
  }

  private FactsRow batch(String appId, long id) {
    return FactsRow.EMPTY
        .with(FactsColumn.APP_ID, appId)
        .with(FactsColumn.TARGET, "bronze")
        .with(FactsColumn.BATCH_ID, id)
        .with(FactsColumn.ROWS, 7L)
        .with(FactsColumn.STARTED_AT, now.withMinute(0))
        .with(FactsColumn.DURATION_MS, 250L)
        .with(FactsColumn.READ_SECONDS, 0.1)
        .with(FactsColumn.READ_MB, 1.0)
        .with(FactsColumn.INGESTION_LAG_SECONDS, 1.0)
        .with(FactsColumn.CAPTURE_LAG_SECONDS, 5.0)
        .with(FactsColumn.RETENTION_HEADROOM_HOURS, 70.0)
        .with(FactsColumn.WRITTEN_AT, at(1));
  }

  private FactsRow event(String appId, FactsEvent event, int minutesAgo) {
    return FactsRow.EMPTY
        .with(FactsColumn.APP_ID, appId)
        .with(FactsColumn.TARGET, "bronze")
        .with(FactsColumn.EVENT, event.text())
        .with(FactsColumn.STARTED_AT, at(minutesAgo))
        .with(FactsColumn.WRITTEN_AT, at(minutesAgo));
  }

  private LocalDateTime at(int minutesAgo) {
    return now.withNano(0).minusMinutes(minutesAgo);
  }

  private String time(int minutesAgo) {
    return at(minutesAgo).toString();
  }

  private List<String> rows(String query) {
    return spark.sql(query).collectAsList().stream().map(row -> row.mkString("|")).toList();
  }

  private List<String> firsts(String query) {
    return rows(query).stream().map(row -> row.substring(0, row.indexOf('|'))).toList();
  }
}
