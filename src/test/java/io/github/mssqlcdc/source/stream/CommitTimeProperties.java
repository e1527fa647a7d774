package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.source.row.CommitTimes;
import io.github.mssqlcdc.source.stream.RetentionGuard.OnLoss;
import io.github.mssqlcdc.sqlserver.HeadLimits;
import io.github.mssqlcdc.sqlserver.ServerClock;
import io.github.mssqlcdc.testkit.log.MutedLog;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import io.github.mssqlcdc.testkit.source.ServerHistory;
import io.github.mssqlcdc.testkit.source.ServerHistory.Entry;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Commit times over the life of a stream: batches cut anywhere in LSN maps as servers write them,
 * with times that step back by moments, entries without rows, hours that repeat or are left out,
 * and a clock that somebody sets.
 */
class CommitTimeProperties {
  private static final Duration TICK = Duration.ofMillis(4);

  @SuppressWarnings("NullAway.Init")
  private static MutedLog muted;

  @BeforeContainer
  static void keepQuiet() {
    muted = MutedLog.of(SetBackWatch.class);
  }

  @AfterContainer
  static void speakAgain() {
    muted.close();
  }

  /** What a run of batches made of a history. */
  record Batch(Offset start, Offset end, ServerClock clock, List<Entry> entries) {}

  @Property(tries = 800)
  void timesOfEndsNeverGoBack(@ForAll long seed) {
    LocalDateTime last = LocalDateTime.MIN;
    for (Batch batch : run(seed, Duration.ofMinutes(-10))) {
      assertThat(batch.end().commitTs()).isAfterOrEqualTo(last);
      last = Objects.requireNonNull(batch.end().commitTs());
    }
  }

  @Property(tries = 800)
  void anEndCarriesTheLargestTimeOfItsBatchOrThatOfItsStart(@ForAll long seed) {
    for (Batch batch : run(seed, Duration.ofMinutes(-10))) {
      LocalDateTime largest =
          batch.entries().stream()
              .map(entry -> batch.clock().toUtc(entry.mapEntry()))
              .max(LocalDateTime::compareTo)
              .orElseThrow();
      LocalDateTime floor = batch.start().commitTs();
      assertThat(batch.end().commitTs())
          .isEqualTo(floor != null && floor.isAfter(largest) ? floor : largest);
    }
  }

  @Property(tries = 800)
  void noRowIsOutsideOfWhatItsBatchCarries(@ForAll long seed) {
    for (Batch batch : run(seed, Duration.ofMinutes(-10))) {
      CommitTimes times =
          new CommitTimes(batch.clock(), batch.start().commitTs(), batch.end().commitTs());
      for (Entry entry : batch.entries()) {
        LocalDateTime time = Objects.requireNonNull(times.of(entry.mapEntry()));
        assertThat(time).isBeforeOrEqualTo(batch.end().commitTs());
        if (batch.start().commitTs() != null) {
          assertThat(time).isAfterOrEqualTo(batch.start().commitTs());
        }
      }
    }
  }

  @Property(tries = 800)
  void noEndIsAheadOfTheNewestCommitReadByThen(@ForAll long seed) {
    LocalDateTime newest = LocalDateTime.MIN;
    for (Batch batch : run(seed, Duration.ofMinutes(-10))) {
      for (Entry entry : batch.entries()) {
        newest = newest.isBefore(entry.utc()) ? entry.utc() : newest;
      }
      assertThat(batch.end().commitTs()).isBeforeOrEqualTo(newest.plus(TICK));
    }
  }

  @Property(tries = 300)
  void whereEveryPassHasEntriesEachTimeIsTheTrueOne(@ForAll long seed) {
    Random random = new Random(seed);
    for (Batch batch : run(ServerHistory.busy(random), random)) {
      for (Entry entry : batch.entries()) {
        assertThat(batch.clock().toUtc(entry.mapEntry()))
            .isBetween(entry.utc().minus(TICK), entry.utc().plus(TICK));
      }
    }
  }

  @Property(tries = 300)
  void aCorrectedClockKeepsTheOrderToo(@ForAll long seed) {
    LocalDateTime last = LocalDateTime.MIN;
    for (Batch batch : run(seed, Duration.ofMinutes(10))) {
      assertThat(batch.end().commitTs()).isAfterOrEqualTo(last);
      last = Objects.requireNonNull(batch.end().commitTs());
    }
  }

  static List<Batch> run(long seed, Duration clockError) {
    Random random = new Random(seed);
    return run(ServerHistory.any(random, clockError), random);
  }

  private static List<Batch> run(ServerHistory history, Random random) {
    FakeSqlServer server = new FakeSqlServer();
    server.setZone(history.zone());
    history
        .entries()
        .forEach(
            entry -> {
              Lsn lsn = entry.hasRows() ? server.insert(1) : server.idle();
              assertThat(lsn).isEqualTo(entry.lsn());
            });
    history.entries().forEach(entry -> server.setTime(entry.lsn(), entry.at()));
    BatchEnds ends =
        new BatchEnds(
            server,
            Fixtures.instances(server, OnLoss.FAIL),
            new HistoryCheck("dbo_orders"),
            new Admission(Duration.ZERO, () -> 0),
            Duration.ZERO,
            () -> 0);
    List<Batch> batches = new ArrayList<>();
    Offset start = Offset.of(FakeSqlServer.lsn(10).previous());
    int done = 0;
    while (done < history.entries().size()) {
      long cap = 1 + random.nextInt(random.nextBoolean() ? 3 : 40);
      Offset end = ends.next(start, new HeadLimits(null, cap, null));
      int to = (int) Math.min(history.entries().size(), done + cap);
      batches.add(
          new Batch(
              start,
              end,
              Objects.requireNonNull(Objects.requireNonNull(ends.pollOf(end)).clock()),
              history.entries().subList(done, to)));
      done = to;
      start = end;
    }
    return batches;
  }
}
