package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.metric.SourceEvent.ColumnGap;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.testkit.source.ChangingDatabase;
import io.github.mssqlcdc.testkit.source.ChangingTable.Column;
import io.github.mssqlcdc.testkit.source.ChangingTable.Instance;
import io.github.mssqlcdc.testkit.source.ChangingTable.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random lives of a table that changes its columns, capture instances and past, and of the stream
 * that follows it, whose processes die at any step: in the end bronze, rebuilt, is the table, or an
 * event says which values are missing. {@code -Dhistories=N} makes more; a failure names its seed
 * and the fewest steps found.
 */
final class ChangingHistoriesTest {
  private static final int COUNT = Integer.getInteger("histories", 500);
  private static final int STEPS = 30;
  private static final int KEYS = 10;
  private static final int OPERATIONS = 30;
  private static final int LAST_RUNS = 8;

  /** What happens beside changes of rows, runs and backfills. */
  private enum Kind {
    COLUMNS(Act.ALTER, Act.ALTER, Act.ENABLE, Act.DISABLE_OLDER),
    LOSSES(Act.RECREATE, Act.RECREATE_TABLE, Act.CLEAN_UP, Act.DISABLE_OLDER, Act.ENABLE),
    RESTORES(Act.BACK_UP, Act.RESTORE, Act.RESTORE, Act.CLEAN_UP),
    ALL(
        Act.ALTER,
        Act.ENABLE,
        Act.DISABLE_OLDER,
        Act.RECREATE,
        Act.CLEAN_UP,
        Act.BACK_UP,
        Act.RESTORE);

    private final List<Act> acts;

    Kind(Act... acts) {
      this.acts = List.of(acts);
    }
  }

  private enum Act {
    PUT,
    UPDATE,
    DELETE,
    IDLE,
    ALTER,
    ENABLE,
    DISABLE_OLDER,
    RECREATE,
    RECREATE_TABLE,
    CLEAN_UP,
    BACK_UP,
    RESTORE,
    RUN,
    BACKFILL
  }

  /**
   * A step.
   *
   * @param number a key, a percentage, or how many operations a process lives
   * @param meanwhile what happens during a run, one after each of its operations
   */
  private record Step(Act act, int number, List<Step> meanwhile) {
    @Override
    public String toString() {
      return act + "(" + number + (meanwhile.isEmpty() ? "" : ", " + meanwhile) + ")";
    }
  }

  private record Life(SnapshotMode mode, boolean snapshotOnSwitch, List<Step> steps) {}

  @BeforeAll
  static void keepQuiet() {
    Configurator.setLevel("io.github.mssqlcdc.source", Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    Configurator.setLevel("io.github.mssqlcdc.source", (Level) null);
  }

  @ParameterizedTest
  @EnumSource
  void whateverHappensBronzeIsTheTableOrAnEventSaysWhatIsMissing(Kind kind) {
    long first = Long.getLong("histories.seed", 0);
    for (long seed = first; seed < first + COUNT; seed++) {
      Life life = life(kind, new Random(seed));
      Throwable failure = failure(life);
      if (failure != null) {
        Life least = shrunk(life);
        throw new AssertionError(
            kind + ", -Dhistories.seed=" + seed + ": " + least, failure(least));
      }
    }
  }

  private static Life life(Kind kind, Random random) {
    return new Life(
        random.nextBoolean() ? SnapshotMode.FULL : SnapshotMode.CHUNKED,
        random.nextBoolean(),
        IntStream.range(0, 5 + random.nextInt(STEPS)).mapToObj(i -> step(kind, random)).toList());
  }

  private static Step step(Kind kind, Random random) {
    int dice = random.nextInt(20);
    if (dice < 4) {
      return new Step(
          Act.RUN,
          random.nextInt(2 * OPERATIONS),
          random.nextInt(3) == 0
              ? IntStream.range(0, 1 + random.nextInt(3))
                  .mapToObj(i -> other(kind, random, random.nextInt(14)))
                  .toList()
              : List.of());
    }
    return dice == 4
        ? new Step(Act.BACKFILL, random.nextInt(12), List.of())
        : other(kind, random, dice - 5);
  }

  private static Step other(Kind kind, Random random, int dice) {
    Act act =
        dice < 4
            ? kind.acts.get(random.nextInt(kind.acts.size()))
            : List.of(Act.PUT, Act.PUT, Act.PUT, Act.UPDATE, Act.UPDATE, Act.DELETE, Act.IDLE)
                .get(random.nextInt(7));
    return new Step(
        act, act == Act.CLEAN_UP ? random.nextInt(101) : random.nextInt(KEYS), List.of());
  }

  /** Leaves steps out as long as it fails. */
  private static Life shrunk(Life life) {
    Life least = life;
    boolean isLess = true;
    while (isLess) {
      isLess = false;
      for (int i = least.steps.size() - 1; i >= 0; i--) {
        List<Step> fewer = new ArrayList<>(least.steps);
        fewer.remove(i);
        Life without = new Life(least.mode, least.snapshotOnSwitch, fewer);
        if (failure(without) != null) {
          least = without;
          isLess = true;
        }
      }
    }
    return least;
  }

  private static @Nullable Throwable failure(Life life) {
    try {
      live(life);
      return null;
    } catch (AssertionError | RuntimeException e) {
      return e;
    }
  }

  private static void live(Life life) {
    ChangingDatabase database = new ChangingDatabase();
    IntStream.range(0, 3).forEach(database::put);
    RecoveringStream stream = new RecoveringStream(database, life.mode, life.snapshotOnSwitch);
    for (Step step : life.steps) {
      if (step.act == Act.RUN) {
        AtomicInteger lived = new AtomicInteger();
        List<Step> meanwhile = new ArrayList<>(step.meanwhile);
        dying(
            () ->
                stream.run(
                    1 + step.number % 5,
                    () -> {
                      if (lived.incrementAndGet() > step.number) {
                        throw new RecoveringStream.Crash();
                      }
                      if (!meanwhile.isEmpty() && lived.get() % 3 == 0) {
                        act(database, meanwhile.remove(0));
                      }
                    }));
      } else if (step.act == Act.BACKFILL) {
        AtomicInteger lived = new AtomicInteger();
        dying(
            () ->
                stream.backfill(
                    () -> {
                      if (lived.incrementAndGet() > step.number) {
                        throw new RecoveringStream.Crash();
                      }
                    }));
      } else {
        act(database, step);
      }
    }
    database.put(0);
    RuntimeException last = null;
    int left = LAST_RUNS;
    do {
      last = dying(() -> comeThrough(stream));
      left--;
    } while (last != null && left > 0);
    if (last != null) {
      throw last;
    }
    requireEqual(database, stream.lake, life.snapshotOnSwitch);
  }

  /** The process ends by itself, dies, or meets what ends it; the next goes on. */
  private static @Nullable RuntimeException dying(Runnable process) {
    try {
      process.run();
      return null;
    } catch (RecoveringStream.Crash | CdcException | InvalidRequestException e) {
      return e;
    }
  }

  private static void comeThrough(RecoveringStream stream) {
    stream.run(100, () -> {});
    stream.backfill(() -> {});
    stream.run(100, () -> {});
  }

  private static void act(ChangingDatabase database, Step step) {
    switch (step.act) {
      case PUT -> database.put(step.number);
      case UPDATE -> database.update(step.number);
      case DELETE -> database.delete(step.number);
      case ALTER -> database.alter(step.number % 2 == 0 ? "a" : "b", step.number > 4);
      case ENABLE -> database.enable();
      case DISABLE_OLDER -> database.disableOlder();
      case RECREATE -> database.recreate();
      case RECREATE_TABLE -> database.recreateTable();
      case CLEAN_UP -> database.cleanUp(step.number);
      case BACK_UP -> database.backUp();
      case RESTORE -> database.restore();
      default -> database.idle();
    }
  }

  private static void requireEqual(ChangingDatabase database, Lake lake, boolean isFilled) {
    Map<Integer, Map<String, @Nullable String>> rebuilt = lake.rebuilt();
    assertThat(rebuilt.keySet()).isEqualTo(database.table().rows().keySet());
    List<ColumnGap> gaps =
        lake.told.getOrDefault(lake.state().generation().number(), List.of()).stream()
            .filter(gap -> lake.base().lsn().isBefore(gap.lsn()))
            .toList();
    if (isFilled) {
      assertThat(gaps).as("gaps that no snapshot has filled").isEmpty();
      assertThat(lake.state().unfilled()).isEmpty();
    }
    List<Instance> instances = database.table().instances();
    Instance newest = instances.get(instances.size() - 1);
    for (Column column : newest.captured()) {
      if (database.table().columns().contains(column)) {
        database
            .table()
            .rows()
            .forEach(
                (key, row) -> {
                  Written written = Objects.requireNonNull(row.get(column.id()));
                  String held = Objects.requireNonNull(rebuilt.get(key)).get(column.name());
                  assertThat(Objects.equals(held, written.value()) || isTold(gaps, column, written))
                      .as(
                          "row %s: %s is %s, bronze has %s; gaps %s",
                          key, column, written, held, gaps)
                      .isTrue();
                });
      }
    }
  }

  private static boolean isTold(List<ColumnGap> gaps, Column column, Written written) {
    return gaps.stream()
        .anyMatch(
            gap ->
                gap.column().equals(column.name())
                    && written.at().isBefore(gap.lsn())
                    && (gap.from() == null || !written.at().isBefore(gap.from())));
  }
}
