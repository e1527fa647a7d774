package io.github.mssqlcdc.backfill;

import static io.github.mssqlcdc.testkit.delta.ChangeRows.time;
import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.bronze.WaveRows;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.snapshot.Purpose;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import io.github.mssqlcdc.sqlserver.StartPosition;
import io.github.mssqlcdc.testkit.delta.ChangeRows;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("spark")
final class SeedTest {
  private static final Lsn AT = new Lsn(0, 5);
  private static final StructType SCHEMA =
      StructType.fromDDL(
          "_capture_instance STRING, _start_lsn STRING, _seqval STRING, _operation INT,"
              + " _command_id INT, _commit_ts TIMESTAMP_NTZ, id INT, name STRING");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();
  private final FakeSqlServer server =
      new FakeSqlServer(
          "dbo_orders",
          new SnapshotStamp(AT, new MapEntry(AT, time(5).minusHours(3)), AT, new Lsn(0, 1)));

  private LakeTable table(String name) {
    return LakeTable.of(spark, new DeltaTableRef(folder.resolve(name).toString()));
  }

  private SnapshotEvents events() {
    return new SnapshotEvents(
        FactsTable.open(table("facts")), "orders-v1", "bronze.orders", Clock.systemUTC());
  }

  private SeedRows rows() {
    return SeedRows.of(
        spark.sql("SELECT * FROM VALUES (1, 'a'), (2, 'b') AS c(id, name)"),
        SCHEMA,
        Arrays.stream(SCHEMA.fields())
            .filter(field -> !field.name().startsWith("_"))
            .map(field -> new SeedColumn(field, SeedColumn.Source.COPY))
            .toList(),
        SeedRows.Missing.REFUSED);
  }

  private Offset seed(Seed.Facts facts) {
    return seed(new SeedPoint.Position(AT), Seed.Target.WITHOUT_SNAPSHOT, facts);
  }

  private Offset seed(SeedPoint point, Seed.Target target, Seed.Facts facts) {
    return new Seed(
            server,
            server.captureInstance(""),
            new BronzeTable(table("bronze"), List.of("id"), List.of()),
            position -> {},
            Clock.systemUTC())
        .run(point, rows(), target, facts);
  }

  private Seed.Facts facts() {
    return new Seed.Facts(this::events, this::events);
  }

  @Test
  void anOpenSnapshotOfEitherModeRefusesASeed() {
    SnapshotEvents events = events();
    SnapshotOpen full =
        events.openFull(events.state(), Purpose.BOOTSTRAP, Offset.of(new Lsn(0, 3)), 0);

    assertThatThrownBy(() -> seed(facts()))
        .isInstanceOfSatisfying(
            CdcError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SNAPSHOT_OPEN))
        .hasMessageStartingWith("Cannot seed 'bronze.orders': " + full.description() + " is open");
    SnapshotOpen chunked =
        new SnapshotOpen(
            1,
            SnapshotMode.CHUNKED,
            Purpose.BOOTSTRAP,
            Offset.of(new Lsn(0, 4)),
            0,
            List.of("id"),
            "bronze.orders",
            time(4),
            null);
    assertThat(events.openChunked(chunked)).isTrue();
    assertThatThrownBy(() -> seed(facts()))
        .hasMessageStartingWith(
            "Cannot seed 'bronze.orders': " + chunked.description() + " isn't complete");
    assertThat(table("bronze").exists()).isFalse();

    events.abandoned(chunked);
    assertThat(seed(facts()).lsn()).isEqualTo(AT);
  }

  @Test
  void aTargetWithAChunkedSnapshotRefusesASeed() {
    new BronzeTable(table("bronze"), List.of("id"), List.of())
        .append(
            new ChangeRows().snapshot("dbo_orders", 4, 7, "x").frame().withColumn("_chunk", lit(0)),
            new WaveRows(
                new SnapshotId("orders-v1", new Lsn(0, 3), 0), 0, 0, () -> "{}", () -> true));

    assertThatThrownBy(() -> seed(new Seed.Facts(() -> null, () -> null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(
            "': it holds a chunked snapshot of the table, at "
                + new Lsn(0, 3)
                + ". Seed a new target, with a new appId and checkpoint; or, to replace it after a"
                + " data loss, seed a newer copy with reseed(true) and a new appId");
    Seed.Facts none = new Seed.Facts(() -> null, () -> null);
    assertThatThrownBy(
            () ->
                seed(new SeedPoint.Position(new Lsn(0, 2)), Seed.Target.WITH_OLDER_SNAPSHOT, none))
        .hasMessageContaining("which is newer");
    assertThat(seed(new SeedPoint.Position(AT), Seed.Target.WITH_OLDER_SNAPSHOT, none).lsn())
        .isEqualTo(AT);
  }

  @Test
  void aSeedTakesNoPlaceOfItsOwnStreamsChunkedSnapshot() {
    SnapshotEvents events = events();
    SnapshotOpen open =
        new SnapshotOpen(
            0,
            SnapshotMode.CHUNKED,
            Purpose.BOOTSTRAP,
            Offset.of(new Lsn(0, 4)),
            0,
            List.of("id"),
            "bronze.orders",
            time(4),
            null);
    assertThat(events.openChunked(open)).isTrue();
    events.completed(Purpose.BOOTSTRAP, 0, open.position(), 0, 2L, time(5));

    assertThatThrownBy(
            () -> seed(new SeedPoint.Position(AT), Seed.Target.WITH_OLDER_SNAPSHOT, facts()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(new Lsn(0, 4).toString(), "Seed with a new appId");
  }

  @Test
  void aRerunByTimeFindsItsSeedThoughTheMapHasGrownSince() {
    SeedPoint asOf = new SeedPoint.Time(Instant.parse("2026-10-01T08:00:00Z"), Duration.ZERO);
    Seed.Facts none = new Seed.Facts(() -> null, () -> null);
    server.copyAt(new StartPosition(AT, null));
    Offset first = seed(asOf, Seed.Target.WITHOUT_SNAPSHOT, none);
    server.copyAt(new StartPosition(AT.next(), null));

    assertThat(seed(asOf, Seed.Target.WITHOUT_SNAPSHOT, none)).isEqualTo(first);
    assertThat(table("bronze").read().count()).isEqualTo(2);
    assertThatThrownBy(
            () ->
                seed(
                    new SeedPoint.Time(Instant.parse("2026-10-01T09:00:00Z"), Duration.ZERO),
                    Seed.Target.WITHOUT_SNAPSHOT,
                    none))
        .hasMessageContaining("it already holds a snapshot of the table");
  }

  @Test
  void aCleanupThatOvertakesTheReadLeavesNoRow() {
    assertOvertaken(2);
    assertThat(table("bronze").exists()).isFalse();

    assertOvertaken(3);
    assertThat(table("bronze").read().count()).isZero();
  }

  /** Cleanup comes when the facts are looked at for the n-th time. */
  private void assertOvertaken(int look) {
    server.purgeTo(new Lsn(0, 1));
    AtomicInteger looks = new AtomicInteger();
    Seed.Facts facts =
        new Seed.Facts(
            () -> {
              if (looks.incrementAndGet() == look) {
                server.purgeTo(new Lsn(0, 9));
              }
              return null;
            },
            () -> null);
    assertThatThrownBy(() -> seed(facts))
        .isInstanceOf(DataLossException.class)
        .hasMessageEndingWith(
            "' at "
                + AT
                + ": CDC cleanup went on to min LSN "
                + new Lsn(0, 9)
                + " while the copy was read, so changes after it are lost. No row was written."
                + " Seed a newer copy, with a longer retention (sys.sp_cdc_change_job)");
  }

  @Test
  void ofTwoAtTheSameInstantDeltaLetsOneIn() {
    AtomicInteger looks = new AtomicInteger();
    Seed.Facts none = new Seed.Facts(() -> null, () -> null);
    Seed.Facts overtaken =
        new Seed.Facts(
            () -> {
              if (looks.incrementAndGet() == 4) { // when its rows are written
                assertThat(CompletableFuture.supplyAsync(() -> seed(none).lsn()).join())
                    .isEqualTo(AT);
              }
              return null;
            },
            () -> null);

    assertThatThrownBy(() -> seed(overtaken))
        .isInstanceOfSatisfying(
            CdcError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICTING_WRITER))
        .hasMessageContaining("another run has put a snapshot of the table into it meanwhile");
    assertThat(table("bronze").read().count()).isEqualTo(2);
    assertThat(seed(none).lsn()).isEqualTo(AT);
  }
}
