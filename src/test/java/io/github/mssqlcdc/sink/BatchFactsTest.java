package io.github.mssqlcdc.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.bronze.BatchKey;
import io.github.mssqlcdc.bronze.BatchRange;
import io.github.mssqlcdc.bronze.BatchRows;
import io.github.mssqlcdc.facts.FactsColumn;
import io.github.mssqlcdc.facts.FactsRow;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchMeasure;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.offset.Offset;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a row of the facts says of what was measured. */
class BatchFactsTest {
  private static final LocalDateTime NOON = LocalDateTime.of(2026, 10, 1, 12, 0);
  private static final Instant NOW = Instant.parse("2026-10-01T12:00:05Z");
  private static final Offset START = new Offset(new Lsn(0, 1), NOON.minusHours(1), null);

  private final BatchFacts facts = new BatchFacts("bronze", Clock.fixed(NOW, ZoneOffset.UTC));

  @Test
  void sumsAndUnitsAreThoseOfTheTableReference() {
    RangeMeasure total =
        new RangeMeasure(3, 2_500_000, 1, 1, 0, "0x1", "0x2", NOON, NOON, 1.5, 12L);

    FactsRow row = row(NOON, marks(total, NOON, NOON));

    assertThat(values(row, FactsColumn.READ_MB, FactsColumn.READ_SECONDS))
        .containsExactly(2.5, 1.5);
    assertThat(values(row, FactsColumn.NETWORK_WAIT_MS, FactsColumn.SOURCE_RTT_MS))
        .containsExactly(12L, 1.25);
    assertThat(values(row, FactsColumn.STARTED_AT, FactsColumn.DURATION_MS))
        .containsExactly(NOON, 5_000L);
    assertThat(row.value(FactsColumn.WRITTEN_AT)).isEqualTo(NOON.plusSeconds(5));
  }

  @Test
  void aRangeWithoutRowsHasZeroRowsAndTheBatchsEnd() {
    RangeMeasure none = new RangeMeasure(0, 0, 0, 0, 0, null, null, null, null, 0.1, 0L);

    FactsRow row = row(NOON, marks(none, NOON, NOON));

    assertThat(values(row, FactsColumn.ROWS, FactsColumn.READ_MB, FactsColumn.INSERTS))
        .containsExactly(0L, 0.0, 0L);
    assertThat(values(row, FactsColumn.MIN_LSN, FactsColumn.MAX_LSN, FactsColumn.MAX_COMMIT_TS))
        .containsOnlyNulls();
    assertThat(values(row, FactsColumn.END_LSN, FactsColumn.END_COMMIT_TS))
        .containsExactly(new Lsn(0, 9).toString(), NOON);
  }

  @Test
  void whatWasNotMeasuredIsNull() {
    BatchMeasure nothing = new BatchMeasure(null, null, null, null, null);
    BatchRows found = new BatchRows(4, 0, 4, 0, "0x1", "0x2", NOON, NOON);

    FactsRow row = facts.rebuilt(work(NOON), nothing, found, List.of());

    assertThat(row.value(FactsColumn.ROWS)).isEqualTo(4L);
    assertThat(
            values(
                row,
                FactsColumn.READ_SECONDS,
                FactsColumn.READ_MB,
                FactsColumn.NETWORK_WAIT_MS,
                FactsColumn.SOURCE_RTT_MS,
                FactsColumn.RETENTION_WATERMARK_TS,
                FactsColumn.RETENTION_HEADROOM_HOURS,
                FactsColumn.SOURCE_MAX_COMMIT_TS,
                FactsColumn.CAPTURE_LAG_SECONDS,
                FactsColumn.INGESTION_LAG_SECONDS))
        .containsOnlyNulls();
  }

  @Test
  void headroomIsHoursWithTwoDecimalsOrUnknown() {
    LocalDateTime watermark = NOON.minusHours(70).minusMinutes(3);

    assertThat(headroom(watermark, NOON)).isEqualTo(70.05);
    assertThat(headroom(watermark.minusSeconds(17), NOON)).isEqualTo(70.05);
    assertThat(headroom(watermark.minusSeconds(19), NOON)).isEqualTo(70.06);
    assertThat(headroom(NOON.plusMinutes(30), NOON)).isEqualTo(-0.5);
    assertThat(headroom(null, NOON)).isNull();
    assertThat(headroom(watermark, null)).isNull();
  }

  @Test
  void onAQuietTableHeadroomCountsFromTheBatchsEnd() {
    LocalDateTime watermark = NOON.minusHours(70);

    assertThat(Stream.of(0, 15, 30).map(minutes -> headroom(watermark, NOON.plusMinutes(minutes))))
        .containsExactly(70.0, 70.25, 70.5);
  }

  @Test
  void ingestionIsBehindTheNewestCommitOfTheWholeDatabase() {
    LocalDateTime newest = NOON.plusMinutes(30);

    assertThat(ingestionLag(NOON.minusMinutes(1), NOON)).isEqualTo(60.0);
    assertThat(ingestionLag(NOON, NOON)).isEqualTo(0.0);
    assertThat(Stream.of(0, 15, 30).map(minutes -> ingestionLag(NOON.plusMinutes(minutes), newest)))
        .containsExactly(1_800.0, 900.0, 0.0);
    assertThat(ingestionLag(null, newest)).isNull();
    assertThat(ingestionLag(NOON, null)).isNull();
  }

  private @Nullable Object headroom(
      @Nullable LocalDateTime watermark, @Nullable LocalDateTime end) {
    return row(end, marks(RangeMeasure.NOTHING, watermark, NOON))
        .value(FactsColumn.RETENTION_HEADROOM_HOURS);
  }

  private @Nullable Object ingestionLag(
      @Nullable LocalDateTime end, @Nullable LocalDateTime newest) {
    return row(end, marks(RangeMeasure.NOTHING, NOON, newest))
        .value(FactsColumn.INGESTION_LAG_SECONDS);
  }

  private FactsRow row(@Nullable LocalDateTime end, BatchMeasure measure) {
    return facts.measured(work(end), measure, List.of());
  }

  private static BatchFacts.Work work(@Nullable LocalDateTime end) {
    Offset to = new Offset(new Lsn(0, 9), end, null);
    return new BatchFacts.Work(new BatchKey("orders-v1", 3), new BatchRange(START.lsn(), to), NOON);
  }

  private static BatchMeasure marks(
      RangeMeasure total, @Nullable LocalDateTime watermark, @Nullable LocalDateTime newest) {
    return new BatchMeasure(total, 1.25, watermark, newest, 2.0);
  }

  private static List<@Nullable Object> values(FactsRow row, FactsColumn... columns) {
    return Stream.of(columns).<@Nullable Object>map(row::value).toList();
  }
}
