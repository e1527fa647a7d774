package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.metric.SourceEvent.ColumnGap;
import io.github.mssqlcdc.testkit.history.Life;
import io.github.mssqlcdc.testkit.history.Life.Act;
import io.github.mssqlcdc.testkit.history.Life.Step;
import io.github.mssqlcdc.testkit.log.MutedLog;
import io.github.mssqlcdc.testkit.source.ChangingDatabase;
import io.github.mssqlcdc.testkit.source.ChangingTable.Column;
import io.github.mssqlcdc.testkit.source.ChangingTable.Instance;
import io.github.mssqlcdc.testkit.source.ChangingTable.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random lives of a table that changes its columns, capture instances and past, and of the stream
 * that follows it, whose processes die at any step, or are two that do the same work: in the end
 * bronze, rebuilt, is the table, or an event says which values are missing. {@code -Dhistories=N}
 * makes N of each kind; a failure names its seed and the fewest steps found.
 */
final class ChangingHistoriesTest {
  private static final int COUNT = Integer.getInteger("histories", 2500);
  private static final int FOREVER = Integer.MAX_VALUE - 1;
  private static final TwoAtOnce TWO = new TwoAtOnce();
  private static MutedLog muted;

  @BeforeAll
  static void keepQuiet() {
    muted = MutedLog.of("io.github.mssqlcdc.source");
  }

  @AfterAll
  static void speakAgain() {
    muted.close();
    TWO.close();
  }

  @ParameterizedTest
  @EnumSource
  void whateverHappensBronzeIsTheTableOrAnEventSaysWhatIsMissing(Life.Kind kind) {
    long first = Long.getLong("histories.seed", 0);
    for (long seed = first; seed < first + COUNT; seed++) {
      Life life = Life.of(kind, seed);
      if (failure(life) != null) {
        Life least = life.shrunk(less -> failure(less) != null);
        throw new AssertionError(
            kind + ", -Dhistories.seed=" + seed + ": " + least, failure(least));
      }
    }
  }

  private static @Nullable Throwable failure(Life life) {
    try {
      new Lived(life, new ChangingDatabase(), new Lake()).live();
      return null;
    } catch (AssertionError | RuntimeException e) {
      return e;
    }
  }

  /** A life as it is lived. */
  private record Lived(Life life, ChangingDatabase database, Lake lake) {
    void live() {
      IntStream.range(0, 3).forEach(database::put);
      life.steps().forEach(this::live);
      database.put(0);
      Life.comeThrough(act -> process(new Step(act, FOREVER, List.of()), () -> {}));
      requireEachOnce();
      requireEqual();
    }

    private void live(Step step) {
      switch (step.act()) {
        case RUN, BACKFILL -> process(step, () -> {});
        case BOTH ->
            TWO.run(
                step.number(),
                turn -> process(step.inside().get(0), turn),
                turn -> process(step.inside().get(1), turn));
        default -> act(step);
      }
    }

    /** A process ends by itself, dies, or meets what ends it; the next goes on. */
    private @Nullable RuntimeException process(Step step, Runnable turn) {
      AtomicInteger lived = new AtomicInteger();
      List<Step> meanwhile = new ArrayList<>(step.inside());
      RecoveringStream process =
          new RecoveringStream(
              lake,
              database,
              life,
              () -> {
                turn.run();
                if (lived.incrementAndGet() > step.number()) {
                  throw new RecoveringStream.Crash();
                }
                if (!meanwhile.isEmpty() && lived.get() % 3 == 0) {
                  act(meanwhile.remove(0));
                }
              });
      try {
        if (step.act() == Act.RUN) {
          process.run(step.number() == FOREVER ? 100 : 1 + step.number() % 5);
        } else {
          process.backfill();
        }
        return null;
      } catch (RecoveringStream.Crash | CdcException | InvalidRequestException e) {
        return e;
      }
    }

    private void act(Step step) {
      int number = step.number();
      switch (step.act()) {
        case PUT -> database.put(number);
        case UPDATE -> database.update(number);
        case DELETE -> database.delete(number);
        case ALTER -> database.alter(number % 2 == 0 ? "a" : "b", number > 4);
        case ENABLE -> database.enable();
        case DISABLE_OLDER -> database.disableOlder();
        case RECREATE -> database.recreate();
        case RECREATE_TABLE -> database.recreateTable();
        case CLEAN_UP -> database.cleanUp(number);
        case BACK_UP -> database.backUp();
        case RESTORE -> database.restore();
        default -> database.idle();
      }
    }

    private Instance newest() {
      List<Instance> instances = database.table().instances();
      return instances.get(instances.size() - 1);
    }

    /**
     * No change that the newest instance has is left out, and none is there twice of one
     * generation. Processes of two generations don't know of each other.
     */
    private void requireEachOnce() {
      lake.written.forEach(
          (application, images) ->
              assertThat(images.stream().filter(image -> image.snapshot() == null))
                  .as("changes of %s", application)
                  .extracting(image -> List.of(image.history(), image.position()))
                  .doesNotHaveDuplicates());
      List<ChangePosition> read = lake.changes().stream().map(Lake.Image::position).toList();
      assertThat(read)
          .as("changes in bronze")
          .containsAll(
              newest().changes().keySet().stream()
                  .filter(change -> change.commit().isAfter(lake.base().lsn()))
                  .toList());
    }

    private void requireEqual() {
      Map<Integer, Map<String, @Nullable String>> rebuilt = lake.rebuilt();
      assertThat(rebuilt.keySet()).isEqualTo(database.table().rows().keySet());
      List<ColumnGap> gaps =
          lake.told.getOrDefault(lake.state().generation().number(), List.of()).stream()
              .filter(gap -> lake.base().lsn().isBefore(gap.lsn()))
              .toList();
      if (life.snapshotOnSwitch()) {
        assertThat(gaps).as("gaps that no snapshot has filled").isEmpty();
        assertThat(lake.state().unfilled()).isEmpty();
      }
      for (Column column : newest().captured()) {
        if (database.table().columns().contains(column)) {
          database
              .table()
              .rows()
              .forEach(
                  (key, row) -> {
                    Written written = Objects.requireNonNull(row.get(column.id()));
                    String held = Objects.requireNonNull(rebuilt.get(key)).get(column.name());
                    assertThat(
                            Objects.equals(held, written.value()) || isTold(gaps, column, written))
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
}
