package io.github.mssqlcdc.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("spark")
final class FactsTableTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();

  private LakeTable table() {
    return LakeTable.of(spark, new DeltaTableRef(folder.resolve("facts").toString()));
  }

  @Test
  void theColumnsAreThePromisedOnesInOrder() {
    LakeTable table = table();
    FactsTable.open(table);
    assertThat(
            Arrays.stream(table.schema().fields())
                .map(field -> field.name() + " " + field.dataType().sql())
                .toList())
        .containsExactly(
            "app_id STRING",
            "batch_id BIGINT",
            "rows BIGINT",
            "min_lsn STRING",
            "max_lsn STRING",
            "min_commit_ts TIMESTAMP_NTZ",
            "max_commit_ts TIMESTAMP_NTZ",
            "deletes BIGINT",
            "inserts BIGINT",
            "updates BIGINT",
            "started_at TIMESTAMP_NTZ",
            "duration_ms BIGINT",
            "source_rtt_ms DOUBLE",
            "read_seconds DOUBLE",
            "read_mb DOUBLE",
            "network_wait_ms BIGINT",
            "retention_watermark_ts TIMESTAMP_NTZ",
            "retention_headroom_hours DOUBLE",
            "event STRING",
            "lost_from_ts TIMESTAMP_NTZ",
            "lost_to_ts TIMESTAMP_NTZ",
            "source_max_commit_ts TIMESTAMP_NTZ",
            "capture_lag_seconds DOUBLE",
            "ingestion_lag_seconds DOUBLE",
            "end_lsn STRING",
            "end_commit_ts TIMESTAMP_NTZ",
            "end_at TIMESTAMP_NTZ",
            "detail STRING",
            "target STRING",
            "written_at TIMESTAMP_NTZ");
    assertThat(table.schema().fields())
        .allSatisfy((StructField field) -> assertThat(field.getComment().get()).isNotBlank());
    assertThat(table.properties()).containsEntry("mssql_cdc.schema_version", "1");
  }

  @Test
  void aBatchIsWrittenOnceWithItsEvents() {
    FactsTable facts = FactsTable.open(table());
    FactsRow batch =
        FactsRow.EMPTY
            .with(FactsColumn.APP_ID, "app")
            .with(FactsColumn.BATCH_ID, 4L)
            .with(FactsColumn.END_LSN, "0x01");
    FactsRow event = batch.with(FactsColumn.EVENT, "schema_change");

    assertThat(facts.appendBatch("app", 4, List.of(batch, event))).isTrue();
    assertThat(facts.appendBatch("app", 4, List.of(batch, event))).isFalse();

    assertThat(table().read().count()).isEqualTo(2);
    assertThat(facts.latestBatch("app")).hasValue(4);
    assertThat(facts.endLsn("app", 4)).hasValue(Lsn.parse("0x01"));
    assertThat(facts.endLsn("app", 5)).isEmpty();
  }

  @Test
  void headroomShrinksWithTheAgeOfTheRowThatTellsIt() {
    FactsTable facts = FactsTable.open(table());
    LocalDateTime written = LocalDateTime.of(2026, 10, 1, 8, 0);
    FactsRow batch =
        FactsRow.EMPTY
            .with(FactsColumn.APP_ID, "app")
            .with(FactsColumn.BATCH_ID, 4L)
            .with(FactsColumn.RETENTION_HEADROOM_HOURS, 70.5)
            .with(FactsColumn.WRITTEN_AT, written);
    facts.appendBatch("app", 4, List.of(batch));

    assertThat(facts.newestHeadroom("app", written.minusHours(1))).contains(70.5);
    assertThat(facts.newestHeadroom("app", written.plusHours(48))).contains(22.5);
    assertThat(facts.newestHeadroom("other", written)).isEmpty();
  }

  @Test
  void chunksOfLaterGenerationsAreOfTheApplicationAndOthersAreNot() {
    FactsTable facts = FactsTable.open(table());
    List<String> ids = List.of("app", "app.g1", "app.g12", "app.gone", "app.g1x", "apps");
    for (int i = 0; i < ids.size(); i++) {
      facts.append(
          FactsRow.EMPTY
              .with(FactsColumn.APP_ID, ids.get(i))
              .with(FactsColumn.EVENT, FactsEvent.SNAPSHOT_CHUNK.text())
              .with(
                  FactsColumn.DETAIL,
                  FactsTable.detail(Map.of("snapshot", "0x00000026000000100001", "chunk", i))));
    }
    assertThat(facts.chunks("app"))
        .extracting(FactsChunk::chunk)
        .containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void timesStandThereAsGivenWhateverTheSessionZone() {
    LocalDateTime time = LocalDateTime.of(2026, 3, 8, 2, 30, 0, 123_456_000);
    FactsTable.open(table()).append(FactsRow.EMPTY.with(FactsColumn.WRITTEN_AT, time));
    Row row = table().read().select("written_at").head();
    assertThat(row.<Object>getAs(0)).isEqualTo(time);
  }

  @Test
  void aTableWithOtherColumnsIsRefused() {
    String path = folder.resolve("other").toString();
    spark.range(1).write().format("delta").save(path);
    assertThatThrownBy(() -> FactsTable.open(LakeTable.of(spark, new DeltaTableRef(path))))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Cannot write facts to '"
                + path
                + "': it has no column app_id of type string, so it is no facts table; name another"
                + " one, it is created");
  }

  @Test
  void anUnstampedTableOfFactsIsTakenAndStamped() {
    FactsTable.open(table());
    spark.sql(
        "ALTER TABLE " + table().ref().sql() + " UNSET TBLPROPERTIES ('mssql_cdc.schema_version')");
    FactsTable.open(table()).append(FactsRow.EMPTY.with(FactsColumn.APP_ID, "app"));
    assertThat(table().properties()).containsEntry("mssql_cdc.schema_version", "1");
  }

  @Test
  void theHighestHistoryOfEventsIsTakenByNameAndZeroWithoutOne() {
    FactsTable facts = FactsTable.open(table());
    assertThat(facts.highestHistory("app", "bronze")).isZero();
    for (String detail : List.of("{\"open\": 7}", "{\"history\": 2, \"more\": 9}", "{}", "[3]")) {
      facts.append(
          FactsRow.EMPTY
              .with(FactsColumn.APP_ID, "app")
              .with(FactsColumn.EVENT, "snapshot_open")
              .with(FactsColumn.END_LSN, new Lsn(0, 1).toString())
              .with(FactsColumn.DETAIL, detail));
    }
    FactsRow other = FactsRow.EMPTY.with(FactsColumn.DETAIL, "{\"history\": 3}");
    facts.append(other.with(FactsColumn.APP_ID, "app"));
    facts.append(other.with(FactsColumn.APP_ID, "b").with(FactsColumn.EVENT, "bootstrap"));

    assertThat(facts.highestHistory("app", "bronze")).isEqualTo(2);
  }

  @Test
  void aValueOfAnotherTypeIsRefused() {
    assertThatThrownBy(() -> FactsRow.EMPTY.with(FactsColumn.ROWS, 3))
        .hasMessage("Cannot hold a Integer in rows");
  }

  @Test
  void detailHasABlankAfterColonsAndCommas() {
    assertThat(FactsTable.detail(Map.of("warnings", List.of("a", "b"))))
        .isEqualTo("{\"warnings\": [\"a\", \"b\"]}");
  }
}
