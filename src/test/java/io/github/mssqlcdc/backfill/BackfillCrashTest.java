package io.github.mssqlcdc.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.metric.BackfillState;
import io.github.mssqlcdc.metric.BackfillStatus;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.ReadChunk;
import io.github.mssqlcdc.plans.ReadWave;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Backfills die before and after each of their writes, in the thread that reads as well as in the
 * one that records, while the table is written to; what is rebuilt is the table.
 */
final class BackfillCrashTest {
  private static final int FOR_EVER = Integer.MAX_VALUE;

  /** How bronze's commits are found after a crash. */
  private enum Log {
    COMPLETE,
    DROPPED,
    PUBLIC_WRITER
  }

  private static SimulatedBackfill world(long seed, Log log) {
    SimulatedBackfill world = new SimulatedBackfill(seed);
    world.lake.hasLog = log != Log.DROPPED;
    world.lake.isPublicWriter = log == Log.PUBLIC_WRITER;
    return world;
  }

  /** Whether it died. */
  private static boolean dies(SimulatedBackfill world, int steps, int connections) {
    try {
      BackfillStatus status = world.call(steps, connections, "call-" + steps, told -> {});
      assertThat(status.state()).isEqualTo(BackfillState.DONE);
      return false;
    } catch (SimulatedBackfill.Death e) {
      return true;
    }
  }

  @ParameterizedTest
  @EnumSource(Log.class)
  void whereverACallDiesTheNextCompletesIt(Log log) {
    int deaths = 0;
    for (boolean died = true; died; deaths++) {
      SimulatedBackfill world = world(7, log);
      died = dies(world, deaths, 2);
      assertThat(dies(world, FOR_EVER, 2)).isFalse();
      judge(world, "death at step " + deaths);
    }
    assertThat(deaths).isGreaterThan(30);
  }

  @ParameterizedTest
  @EnumSource(Log.class)
  void howeverOftenCallsDieAndWhateverTheyReadAtATimeTheTableIsRebuilt(Log log) {
    for (long seed = 0; seed < 100; seed++) {
      SimulatedBackfill world = world(seed, log);
      Random random = new Random(seed);
      while (dies(world, 1 + random.nextInt(25), 1 + random.nextInt(4))) {
        // the next call goes on
      }
      judge(world, "seed " + seed);
    }
  }

  private static void judge(SimulatedBackfill world, String when) {
    assertThat(world.rebuilt()).as(when).isEqualTo(world.table());
    List<ChunkBounds> planned = world.lake.allPlanned();
    List<ReadWave> kept = world.lake.kept();
    assertThat(chunks(kept).map(chunk -> chunk.planned().chunk()))
        .as(when)
        .containsExactlyElementsOf(IntStream.range(0, planned.size()).boxed().toList());
    assertThat(chunks(kept).map(chunk -> chunk.planned().lo() + " " + chunk.planned().hi()))
        .as(when)
        .containsExactlyElementsOf(
            planned.stream().map(chunk -> chunk.lo() + " " + chunk.hi()).toList());
    chunks(kept)
        .forEach(
            chunk ->
                assertThat(
                        world.lake.rows().stream()
                            .filter(row -> row.chunk() == chunk.planned().chunk()))
                    .as(when + ", " + chunk)
                    .hasSize((int) chunk.rows()));
    assertThat(world.lake.told.values()).as(when).containsExactlyElementsOf(kept);
    assertThat(world.lake.rows().stream().map(row -> row.id())).as(when).doesNotHaveDuplicates();
    assertThat(world.lake.rows())
        .as(when)
        .allMatch(row -> !row.stamp().isBefore(world.lake.open.position().lsn()));
    assertThat(Objects.requireNonNull(world.lake.completed, when).rows()).as(when).isEqualTo(world.lake.rows().size());
    assertThat(world.lake.toldPlans).as(when).isEqualTo(1);
  }

  private static Stream<ReadChunk> chunks(List<ReadWave> waves) {
    return waves.stream().flatMap(wave -> wave.chunks().stream());
  }

  @Test
  void ofTwoAtOnceOneGoesOnAndTheOtherIsToldWhichOne() {
    SimulatedBackfill world = world(3, Log.COMPLETE);
    AtomicReference<BackfillStatus> other = new AtomicReference<>();
    assertThatThrownBy(
            () ->
                world.call(
                    FOR_EVER,
                    2,
                    "first",
                    status -> {
                      if (status.chunksDone() == 2) {
                        other.set(world.call(FOR_EVER, 2, "second", told -> {}));
                      }
                    }))
        .isInstanceOf(CdcException.class)
        .hasMessageContainingAll("another backfill", "attempt second", "wave 1")
        .satisfies(
            e -> assertThat(((CdcException) e).code()).isEqualTo(ErrorCode.CONFLICTING_WRITER));
    assertThat(Objects.requireNonNull(other.get()).state()).isEqualTo(BackfillState.DONE);
    judge(world, "two at once");
    assertThat(world.lake.kept().get(1).attempt()).isEqualTo("second");
  }

  @Test
  void aCallStopsWhenItsSnapshotIsGivenUp() {
    SimulatedBackfill world = world(3, Log.COMPLETE);
    BackfillStatus status =
        world.call(FOR_EVER, 2, "first", told -> world.lake.isGivenUp = told.chunksDone() == 2);
    assertThat(status.state()).isEqualTo(BackfillState.NO_SNAPSHOT);
    assertThat(status.reason()).contains("given up");
    assertThat(status.chunksDone()).isEqualTo(2);
    assertThat(world.lake.completed).isNull();
  }

  @Test
  void aTargetThatIsGoneIsNoticed() {
    SimulatedBackfill world = world(3, Log.COMPLETE);
    assertThat(dies(world, 20, 2)).isTrue();
    assertThat(world.lake.rows()).isNotEmpty();
    world.lake.dropTarget();
    assertThatThrownBy(() -> world.call(FOR_EVER, 2, "second", told -> {}))
        .isInstanceOf(CdcException.class)
        .hasMessageContainingAll("dropped or made anew", "abandonSnapshot");
  }

  @Test
  void aCallAfterTheLastReadsNothing() {
    SimulatedBackfill world = world(3, Log.COMPLETE);
    BackfillStatus done = world.call(FOR_EVER, 2, "first", told -> {});
    BackfillStatus again = world.call(FOR_EVER, 2, "second", told -> {});
    assertThat(again.state()).isEqualTo(BackfillState.DONE);
    assertThat(again.chunksDone()).isEqualTo(done.chunksTotal());
    assertThat(again.rows()).isEqualTo(done.rows());
    assertThat(again.bytes()).isEqualTo(done.bytes());
    judge(world, "a second call");
  }
}
