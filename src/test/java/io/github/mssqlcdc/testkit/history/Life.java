package io.github.mssqlcdc.testkit.history;

import io.github.mssqlcdc.options.SnapshotMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a table that changes its columns, capture instances and past, and to the stream
 * that follows it.
 *
 * @param mode how snapshots are taken
 */
public record Life(SnapshotMode mode, boolean snapshotOnSwitch, List<Step> steps) {
  /** Keys are from 0 to below this. */
  public static final int KEYS = 10;

  /** So many steps of its own a process lives on average, about. */
  private static final int OPERATIONS = 30;

  /** After the last step so many attempts, of which one has to come through. */
  private static final int LAST_RUNS = 8;

  private static final int STEPS = 30;
  private static final int CHANGES = 14;

  /** What happens beside changes of rows, runs and backfills. */
  public enum Kind {
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

  /** What a step does. */
  public enum Act {
    /** A row of this key gets new values; it is made if it isn't there. */
    PUT,
    UPDATE,
    DELETE,
    IDLE,
    /** A column comes, or goes if it is there. */
    ALTER,
    ENABLE,
    DISABLE_OLDER,
    RECREATE,
    RECREATE_TABLE,
    CLEAN_UP,
    BACK_UP,
    RESTORE,
    RUN,
    BACKFILL,
    /** Two processes at once. */
    BOTH
  }

  /**
   * A step.
   *
   * @param number a key, a percentage, how many operations a process lives, or how two take turns
   * @param inside what happens during a run, one after each third of its operations; or the two
   */
  public record Step(Act act, int number, List<Step> inside) {
    @Override
    public String toString() {
      return act + "(" + number + (inside.isEmpty() ? "" : ", " + inside) + ")";
    }
  }

  public Life {
    steps = List.copyOf(steps);
  }

  /** The life of a seed. */
  public static Life of(Kind kind, long seed) {
    Random random = new Random(seed);
    return new Life(
        random.nextBoolean() ? SnapshotMode.FULL : SnapshotMode.CHUNKED,
        random.nextBoolean(),
        IntStream.range(0, 5 + random.nextInt(STEPS)).mapToObj(i -> step(kind, random)).toList());
  }

  private static Step step(Kind kind, Random random) {
    int dice = random.nextInt(CHANGES + 6);
    if (dice < 4) {
      return run(kind, random);
    }
    if (dice == 4) {
      return backfill(random);
    }
    return dice == 5 ? both(kind, random) : change(kind, random, dice - 6);
  }

  private static Step run(Kind kind, Random random) {
    return new Step(
        Act.RUN,
        random.nextInt(2 * OPERATIONS),
        random.nextInt(3) == 0
            ? IntStream.range(0, 1 + random.nextInt(3))
                .mapToObj(i -> change(kind, random, random.nextInt(CHANGES)))
                .toList()
            : List.of());
  }

  private static Step backfill(Random random) {
    return new Step(Act.BACKFILL, random.nextInt(12), List.of());
  }

  private static Step both(Kind kind, Random random) {
    return new Step(
        Act.BOTH,
        random.nextInt(Integer.MAX_VALUE),
        List.of(run(kind, random), random.nextInt(4) == 0 ? backfill(random) : run(kind, random)));
  }

  private static Step change(Kind kind, Random random, int dice) {
    Act act =
        dice < 4
            ? kind.acts.get(random.nextInt(kind.acts.size()))
            : List.of(Act.PUT, Act.PUT, Act.PUT, Act.UPDATE, Act.UPDATE, Act.DELETE, Act.IDLE)
                .get(random.nextInt(7));
    return new Step(
        act, act == Act.CLEAN_UP ? random.nextInt(101) : random.nextInt(KEYS), List.of());
  }

  /** Leaves steps out, and of two processes one, as long as it fails. */
  public Life shrunk(Predicate<Life> fails) {
    Life least = this;
    Optional<Life> less;
    do {
      less = least.lesser().filter(fails).findFirst();
      least = less.orElse(least);
    } while (less.isPresent());
    return least;
  }

  private Stream<Life> lesser() {
    return IntStream.range(0, steps.size()).boxed().flatMap(this::withLess);
  }

  private Stream<Life> withLess(int at) {
    Step step = steps.get(at);
    Stream<List<Step>> inside =
        step.act == Act.BOTH
            ? step.inside.stream().map(List::of)
            : IntStream.range(0, step.inside.size())
                .mapToObj(i -> replaced(step.inside, i, List.of()))
                .map(less -> List.of(new Step(step.act, step.number, less)));
    return Stream.concat(Stream.of(List.<Step>of()), inside)
        .map(less -> new Life(mode, snapshotOnSwitch, replaced(steps, at, less)));
  }

  private static List<Step> replaced(List<Step> steps, int at, List<Step> by) {
    List<Step> less = new ArrayList<>(steps);
    less.remove(at);
    less.addAll(at, by);
    return less;
  }

  /** A process that nothing stops: null if it came through, else what it failed of. */
  @FunctionalInterface
  public interface Undisturbed<E extends Exception> {
    @Nullable E live(Act act) throws E;
  }

  /**
   * Lets the stream and its backfill reach their end; loss that is found on the way may end some
   * attempts.
   */
  public static <E extends Exception> void comeThrough(Undisturbed<E> process) throws E {
    E last;
    int left = LAST_RUNS;
    do {
      last = failure(process);
      left--;
    } while (last != null && left > 0);
    if (last != null) {
      throw last;
    }
  }

  private static <E extends Exception> @Nullable E failure(Undisturbed<E> process) throws E {
    for (Act act : List.of(Act.RUN, Act.BACKFILL, Act.RUN)) {
      E failure = process.live(act);
      if (failure != null) {
        return failure;
      }
    }
    return null;
  }
}
