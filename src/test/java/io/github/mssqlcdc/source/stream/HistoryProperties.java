package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.testkit.history.Histories;
import io.github.mssqlcdc.testkit.history.History;
import io.github.mssqlcdc.testkit.history.Statement;
import io.github.mssqlcdc.testkit.history.Step;
import io.github.mssqlcdc.testkit.log.MutedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Streams of two tables through random histories: transactions over both, key updates, idle time,
 * cleanup, and processes that die at any step and are started again. Planner and reads are the
 * library's own; Spark's logs and the sink are simulated.
 */
class HistoryProperties {
  private static final int STEPS = 25;
  private static final int OPERATIONS = 25;

  private static final Step.Run LAST =
      new Step.Run(0, Integer.MAX_VALUE, new Step.Cap(Step.Cap.Kind.NONE, 0), 2, List.of(), 1);

  @SuppressWarnings("NullAway.Init")
  private static MutedLog muted;

  @BeforeContainer
  static void keepQuiet() {
    muted = MutedLog.of("io.github.mssqlcdc.source.stream");
  }

  @AfterContainer
  static void speakAgain() {
    muted.close();
  }

  @Provide
  Arbitrary<History> histories() {
    return Histories.of(STEPS, OPERATIONS);
  }

  /** How far cleanup may go. */
  private enum Reach {
    WHAT_WAS_READ,
    EVERYTHING
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void whateverHappensBronzeHasEachCommitOnceAndTheSourcesRows(@ForAll("histories") History life) {
    Simulation simulation = new Simulation(life, true, Reach.WHAT_WAS_READ);
    simulation.run();

    for (int i = 0; i < 2; i++) {
      SimulatedStream stream = simulation.streams.get(i);
      SimulatedDatabase.Table table = simulation.database.table(i);
      assertThat(stream.isLost()).isFalse();
      stream.left().requireEachOnce(table.changes, lsn -> false);
      stream.left().requireFactsWithoutAHole(stream.position());
      assertThat(stream.left().latest()).isEqualTo(table.source.rows());
    }
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void whatCleanupTookIsToldOrEndsTheStreamAndNothingElseIsMissing(
      @ForAll("histories") History life, @ForAll boolean failOnDataLoss) {
    Simulation simulation = new Simulation(life, failOnDataLoss, Reach.EVERYTHING);
    simulation.run();

    for (int i = 0; i < 2; i++) {
      SimulatedStream stream = simulation.streams.get(i);
      stream.left().requireEachOnce(simulation.database.table(i).changes, stream::mayMiss);
      if (!stream.isLost()) {
        stream.left().requireFactsWithoutAHole(stream.position());
      }
    }
  }

  /** A history as it is lived. */
  private static final class Simulation {
    final SimulatedDatabase database = new SimulatedDatabase();
    final List<SimulatedStream> streams;
    private final History life;
    private final Reach cleanup;

    Simulation(History life, boolean failOnDataLoss, Reach cleanup) {
      this.life = life;
      this.cleanup = cleanup;
      if (life.bootstrap()) {
        IntStream.range(0, Statement.IDS)
            .forEach(id -> database.unseen(new Statement(Statement.Kind.PUT, id % 2, id)));
      }
      this.streams =
          IntStream.range(0, 2)
              .mapToObj(
                  i ->
                      new SimulatedStream(
                          database.table(i), failOnDataLoss, life.bootstrap() ? snapshot(i) : null))
              .toList();
    }

    /** Of a table that changes between stamp and read. */
    private Offset snapshot(int table) {
      Lsn stamp = database.newest();
      Offset offset =
          stamp.isZero() ? Offset.of(database.table(table).minLsn().previous()) : Offset.of(stamp);
      database.commit(List.of(new Statement(Statement.Kind.DELETE, table, table)));
      return offset;
    }

    void run() {
      life.steps().forEach(this::live);
      database.idle();
      for (int i = 0; i < 2; i++) {
        streams.get(i).run(LAST, () -> {});
      }
    }

    private void live(Step step) {
      if (step instanceof Step.Transaction transaction) {
        database.commit(transaction.statements());
      } else if (step instanceof Step.Idle) {
        database.idle();
      } else if (step instanceof Step.Cleanup taken) {
        Lsn limit =
            cleanup == Reach.EVERYTHING ? database.newest() : streams.get(taken.table()).safe();
        database.cleanUp(taken.table(), limit, taken.percent());
      } else if (step instanceof Step.Run run) {
        run(run);
      }
    }

    private void run(Step.Run run) {
      AtomicInteger steps = new AtomicInteger();
      List<Step> meanwhile = new ArrayList<>(run.meanwhile());
      streams
          .get(run.table())
          .run(
              run,
              () -> {
                int step = steps.incrementAndGet();
                if (step == run.crashAt()) {
                  throw new SimulatedStream.Crash();
                }
                if (step >= run.meanwhileAt() && !meanwhile.isEmpty()) {
                  live(meanwhile.remove(0));
                }
              });
    }
  }
}
