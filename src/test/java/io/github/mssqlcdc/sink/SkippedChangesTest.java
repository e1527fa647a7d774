package io.github.mssqlcdc.sink;

import static io.github.mssqlcdc.testkit.delta.ChangeRows.lsn;
import static io.github.mssqlcdc.testkit.delta.ChangeRows.time;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.LossKind;
import io.github.mssqlcdc.metric.SkippedChanges;
import io.github.mssqlcdc.metric.SourceEvent;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.offset.Offset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Gaps as events of the facts, and whose checkpoint a stream goes on with. */
final class SkippedChangesTest extends SinkFixture {
  @Test
  void aGapIsARowOfItsBatchOnceEvenOnReplay() {
    plan(2, 5, null);
    ledger.skipped(offset(2), offset(5), skip(3, 4, null));
    ledger.skipped(offset(2), offset(5), skip(4, 5, "rows may be missing"));
    sink().call(noRows(), 7L);
    plan(2, 5, null);
    ledger.skipped(offset(2), offset(5), skip(3, 4, null));
    sink().call(noRows(), 7L);

    assertThat(
            facts()
                .read()
                .where("event IS NOT NULL")
                .orderBy("min_lsn")
                .selectExpr(
                    "app_id",
                    "batch_id",
                    "event",
                    "rows",
                    "min_lsn",
                    "max_lsn",
                    "end_lsn",
                    "end_commit_ts",
                    "lost_from_ts",
                    "lost_to_ts",
                    "target",
                    "detail")
                .collectAsList())
        .extracting(row -> row.mkString("|"))
        .containsExactly(
            row(3, 4, ", \"certain\": true, \"cause\": \"retention\"}"),
            row(4, 5, ", \"certain\": false, \"reason\": \"rows may be missing\"}"));
    assertThat(facts().read().where("event IS NULL").count()).isEqualTo(1);
  }

  private String row(int from, int to, String rest) {
    return String.join(
        "|",
        "orders-v1",
        "7",
        "data_skipped",
        "0",
        lsn(to),
        lsn(to),
        lsn(to),
        time(to).toString(),
        time(from).toString(),
        time(to).toString(),
        bronzeName,
        "{\"from\": \"" + lsn(from) + "\", \"to\": \"" + lsn(to) + "\"" + rest);
  }

  @Test
  void aReplayBeforeItsFactsWritesTheGapThatItsGuardFound() {
    plan(0, 2, measure());
    sink(null).call(rows(), 0L);
    ledger = new StreamLedger();
    planHeld(0, 2);
    ledger.skipped(offset(0), offset(2), skip(1, 3, "not known"));
    sink().call(unreadable(), 0L);

    assertThat(facts().read().orderBy("rows").selectExpr("event", "rows").collectAsList())
        .extracting(row -> row.mkString("|"))
        .containsExactly("data_skipped|0", "null|4");
  }

  @Test
  void whatHappenedInABatchIsToldAfterAProcessDiedBeforeItsFacts() {
    List<SourceEvent> happened =
        List.of(
            new SourceEvent.SchemaChanged(new Lsn(0, 1), null, "ALTER TABLE t ADD \"a\" int"),
            new SourceEvent.InstanceSwitched(new Lsn(0, 2), time(2), "v1", "v2", List.of("b")),
            new SourceEvent.ColumnGap(new Lsn(0, 2), time(2), "v2", "a", new Lsn(0, 1), time(1)),
            new SourceEvent.ColumnGap(new Lsn(0, 2), time(2), "v2", "c", null, null));
    plan(0, 2, measure());
    ledger.happened(offset(0), offset(2), happened);
    sink(null).call(rows(), 0L);
    ledger = new StreamLedger();
    planHeld(0, 2);
    sink().call(unreadable(), 0L);

    assertThat(Objects.requireNonNull(ledger.current()).events()).isEqualTo(happened);
    assertThat(
            facts()
                .read()
                .where("event IS NOT NULL")
                .orderBy("event", "detail")
                .selectExpr("event", "detail", "lost_from_ts IS NULL")
                .collectAsList())
        .extracting(row -> row.mkString("|"))
        .containsExactly(
            "capture_instance_switched|{\"old\": \"v1\", \"new\": \"v2\", \"not_captured\":"
                + " [\"b\"]}|true",
            "column_gap|{\"column\": \"a\", \"capture_instance\": \"v2\", \"from_lsn\": \""
                + lsn(1)
                + "\", \"to_lsn\": \""
                + lsn(2)
                + "\"}|false",
            "column_gap|{\"column\": \"c\", \"capture_instance\": \"v2\", \"from_lsn\": null,"
                + " \"to_lsn\": \""
                + lsn(2)
                + "\"}|true",
            "schema_change|{\"statement\": \"ALTER TABLE t ADD \\\"a\\\" int\"}|true");
  }

  @Test
  void theSourceIsToldHowFarTheFactsReachBeyondBronze() {
    plan(0, 2, measure());
    sink(null).call(rows(), 0L);
    ledger = new StreamLedger();
    sink().announceHeld();
    assertThat(ledger.held()).isEqualTo(new Lsn(0, 2));
    assertThat(ledger.told()).isEqualTo(ledger.held());

    plan(2, 5, null);
    sink().call(noRows(), 1L);
    ledger = new StreamLedger();
    sink().announceHeld();
    assertThat(ledger.held()).isEqualTo(new Lsn(0, 2));
    assertThat(ledger.told()).as("a batch without rows").isEqualTo(new Lsn(0, 5));
  }

  @Test
  void anotherStreamsCheckpointIsRefused() {
    plan(0, 2, measure());
    sink().call(rows(), 4L);
    BronzeTable bronze = new BronzeTable(bronze(), List.of(), List.of());

    assertThatThrownBy(() -> check(bronze, "orders-v2", 4, offset(2)))
        .isInstanceOfSatisfying(
            CdcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICTING_WRITER))
        .hasMessage(
            "Cannot start 'orders-v2' on "
                + bronzeName
                + ": the checkpoint /ck is that of 'orders-v1', which has written its batch 4, ("
                + lsn(0)
                + ", "
                + lsn(2)
                + "], there; what is replayed would be appended a second time. Go on with appId"
                + " 'orders-v1', or give 'orders-v2' a checkpoint and a target of its own");
    check(bronze, "orders-v1", 4, offset(2));
    check(bronze, "orders-v2", 4, offset(1));
    check(bronze, "orders-v2", 4, null);
    check(bronze, "orders-v2", 3, offset(2));
  }

  private static void check(
      BronzeTable bronze, String sinkId, long known, @Nullable Offset endOfBatchFour) {
    new SinkOwner(sinkId, "/ck", known)
        .checkCheckpoint(
            bronze, batch -> batch == 4 ? Optional.ofNullable(endOfBatchFour) : Optional.empty());
  }

  private static SkippedChanges skip(int from, int to, @Nullable String doubt) {
    return new SkippedChanges(
        "dbo_orders",
        new Lsn(0, from),
        new Lsn(0, to),
        time(from),
        time(to),
        doubt,
        doubt == null ? LossKind.RETENTION : null);
  }
}
