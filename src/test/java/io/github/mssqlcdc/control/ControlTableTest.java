package io.github.mssqlcdc.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("spark")
final class ControlTableTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-09-30T12:00:00Z"), ZoneOffset.UTC);
  private static final LocalDateTime ONE = LocalDateTime.of(2026, 9, 30, 13, 0);
  private static final Lsn LOW = Lsn.parse("0x01");
  private static final Lsn HIGH = Lsn.parse("0x02");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();

  private LakeTable table() {
    return LakeTable.of(spark, new DeltaTableRef(folder.resolve("control").toString()));
  }

  private static Verdict verdict(LocalDateTime until, Lsn end) {
    return new Verdict(until, end, until.plusMinutes(10));
  }

  @Test
  void isMadeWithItsColumnsAndComments() {
    ControlTable.open(table(), CLOCK);
    assertThat(
            Arrays.stream(table().schema().fields())
                .map(field -> field.name() + " " + field.dataType().sql())
                .toList())
        .containsExactly(
            "table_name STRING",
            "finalized_until TIMESTAMP_NTZ",
            "end_lsn STRING",
            "end_commit_ts TIMESTAMP_NTZ",
            "updated_at TIMESTAMP_NTZ",
            "applied_lsn STRING",
            "snapshot_lsn STRING",
            "open_snapshot_lsn STRING",
            "snapshot_version BIGINT",
            "history INT");
    assertThat(table().schema().fields())
        .allSatisfy((StructField field) -> assertThat(field.getComment().get()).isNotBlank());
    assertThat(table().properties()).containsEntry("mssql_cdc.schema_version", "1");
  }

  @Test
  void aVerdictMovesForwardOnlyAndNamesAreExact() {
    ControlTable control = ControlTable.open(table(), CLOCK);
    assertThat(control.advance("bronze.a", verdict(ONE, HIGH), 0)).isEqualTo(verdict(ONE, HIGH));
    long version = table().version();

    Verdict older = verdict(ONE.minusHours(1), LOW);
    assertThat(control.advance("bronze.a", older, 0)).isEqualTo(verdict(ONE, HIGH));
    assertThat(control.advance("bronze.a", verdict(ONE, LOW), 0)).isEqualTo(verdict(ONE, HIGH));
    assertThat(table().version()).as("nothing written").isEqualTo(version);

    assertThat(control.find("Bronze.a")).isEmpty();
    Verdict later = verdict(ONE.plusHours(1), LOW);
    assertThat(control.advance("bronze.a", later, 1)).isEqualTo(later);
    assertThat(control.find("bronze.a"))
        .hasValue(
            new ControlEntry("bronze.a", later, AppliedPosition.NONE, 1, LocalDateTime.now(CLOCK)));
  }

  @Test
  void aPositionReplacesTheLastOneAndLeavesAHigherVerdict() {
    ControlTable control = ControlTable.open(table(), CLOCK);
    AppliedPosition open = new AppliedPosition(LOW, null, LOW, 7L);
    assertThat(control.apply("silver.a", open, null, 0).verdict()).isNull();
    control.advance("silver.a", verdict(ONE, HIGH), 0);

    AppliedPosition closed = new AppliedPosition(HIGH, LOW, null, null);
    ControlEntry entry = control.apply("silver.a", closed, verdict(ONE.minusDays(1), LOW), 2);
    assertThat(entry.position()).isEqualTo(closed);
    assertThat(entry.verdict()).isEqualTo(verdict(ONE, HIGH));
    assertThat(entry.history()).isEqualTo(2);
    Verdict later = verdict(ONE.plusDays(1), HIGH);
    assertThat(control.apply("silver.a", closed, later, 2).verdict()).isEqualTo(later);
    assertThat(table().read().count()).isEqualTo(1);
  }

  @Test
  void writersOfOtherTablesAreWaitedFor() {
    ControlTable.open(table(), CLOCK);
    List<CompletableFuture<Verdict>> writers =
        IntStream.range(0, 2)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () ->
                            ControlTable.open(table(), CLOCK)
                                .advance("bronze." + i, verdict(ONE.plusHours(i), HIGH), 0)))
            .toList();
    writers.forEach(CompletableFuture::join);
    assertThat(table().read().select("table_name").distinct().count()).isEqualTo(2);
    assertThat(table().read().count()).isEqualTo(2);
  }

  @Test
  void anOlderTableGetsTheColumnsThatItLacks() {
    String path = folder.resolve("control").toString();
    spark.sql(
        "CREATE TABLE delta.`"
            + path
            + "` (table_name STRING, finalized_until TIMESTAMP_NTZ, end_lsn STRING,"
            + " end_commit_ts TIMESTAMP_NTZ, updated_at TIMESTAMP_NTZ) USING delta");
    spark.sql(
        "INSERT INTO delta.`"
            + path
            + "` VALUES ('bronze.a', TIMESTAMP_NTZ '2026-09-30 13:00:00', '0x01', NULL, NULL)");

    ControlTable control = ControlTable.open(table(), CLOCK);
    assertThat(control.find("bronze.a"))
        .hasValue(
            new ControlEntry(
                "bronze.a", new Verdict(ONE, LOW, null), AppliedPosition.NONE, 0, null));
    assertThat(table().schema().fields())
        .hasSize(ControlColumn.values().length)
        .allSatisfy((StructField field) -> assertThat(field.getComment().isDefined()).isTrue());
    long version = table().version();
    ControlTable.open(table(), CLOCK);
    assertThat(table().version()).isEqualTo(version);
  }

  @Test
  void aTableOfAnotherKindIsRefused() {
    String path = folder.resolve("control").toString();
    spark.range(1).write().format("delta").save(path);
    assertThatThrownBy(() -> ControlTable.open(table(), CLOCK))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Cannot keep verdicts in '"
                + path
                + "': it has no column table_name of type string, so it is no control table; name"
                + " another one, it is created");
  }
}
