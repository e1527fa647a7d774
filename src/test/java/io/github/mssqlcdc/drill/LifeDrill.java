package io.github.mssqlcdc.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.metric.ReconcileFailure.Type;
import io.github.mssqlcdc.metric.ReconcileResult;
import io.github.mssqlcdc.testkit.history.Life;
import io.github.mssqlcdc.testkit.history.Life.Act;
import io.github.mssqlcdc.testkit.history.Life.Step;
import io.github.mssqlcdc.testkit.log.MutedLog;
import io.github.mssqlcdc.testkit.spark.DiskFaults;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.jspecify.annotations.Nullable;

/**
 * Random lives of a table from T-SQL to Delta, with DDL, second capture instances, drops, restores,
 * new snapshots of either mode, and processes that die at any file that they write. A failure names
 * its seed and the fewest steps found. Two processes of a step work one after the other: Spark lets
 * a JVM have one query per checkpoint.
 *
 * @param judged what is compared with the source in the end
 */
record LifeDrill(Judged judged) {
  private static final int FOREVER = Integer.MAX_VALUE;
  private static final int EVERY = 10;

  /** Files that a step of a process creates and renames, about. */
  private static final int FILES = 4;

  /** What is compared with the source. */
  enum Judged {
    BRONZE,
    /** Silver, too, which is brought forward at random moments; then differences are planted. */
    SILVER
  }

  void run(int count, long seed) {
    long begun = System.nanoTime();
    // queries die here by dozens
    try (MutedLog muted = MutedLog.of("org.apache.spark", "io.github.mssqlcdc")) {
      for (int i = 1; i <= count; i++) {
        live(seed + i - 1);
        if (i % EVERY == 0 || i == count) {
          say(
              "%s: %d of %d lives from seed %d on, %d s"
                  .formatted(
                      judged,
                      i,
                      count,
                      seed,
                      TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun)));
        }
      }
    }
  }

  private void live(long seed) {
    Life life = life(seed);
    Throwable failure = failure(life, seed);
    if (failure != null) {
      fail(life, seed, failure);
    }
  }

  /** Silver has no place for what no event of bronze's fills: it is filled. */
  private Life life(long seed) {
    Life.Kind[] kinds = Life.Kind.values();
    Life life = Life.of(kinds[(int) Math.floorMod(seed, (long) kinds.length)], seed);
    return new Life(life.mode(), life.snapshotOnSwitch() || judged == Judged.SILVER, life.steps());
  }

  private void fail(Life life, long seed, Throwable failure) {
    failure.printStackTrace(System.out);
    say(judged + " failed with -Ddrill.seed=" + seed + ": " + life + ". Looking for fewer steps");
    Life least = life.shrunk(less -> failure(less, seed) != null);
    throw new AssertionError(
        judged + ", -Ddrill.seed=" + seed + ": " + least, failure(least, seed));
  }

  private @Nullable Throwable failure(Life life, long seed) {
    try {
      Path folder = Files.createTempDirectory("drill");
      try (DrilledTable table = new DrilledTable()) {
        new Lived(life, table, new DrilledLake(table, life, folder), folder).live(judged, seed);
        return null;
      } finally {
        FileUtils.deleteDirectory(folder.toFile());
      }
    } catch (Exception | AssertionError e) { // Spark throws checked exceptions undeclared
      return e;
    }
  }

  static void say(String line) {
    System.out.println(line);
  }

  /** What a process does. */
  private interface Work {
    void run() throws Exception;
  }

  /** A life as it is lived. */
  private record Lived(Life life, DrilledTable table, DrilledLake lake, Path folder) {
    void live(Judged judged, long seed) throws Exception {
      Random moments = new Random(seed);
      for (Step step : life.steps()) {
        live(step);
        if (judged == Judged.SILVER && moments.nextInt(4) == 0) {
          Exception unused = dying(new Step(Act.RUN, FOREVER, List.of()), lake::apply);
        }
      }
      table.put(0);
      Life.<Exception>comeThrough(act -> process(new Step(act, FOREVER, List.of())));
      requireBronze();
      if (judged == Judged.SILVER) {
        requireSilver(moments);
      }
    }

    private void live(Step step) throws Exception {
      switch (step.act()) {
        case RUN, BACKFILL -> {
          Exception unused = process(step);
        }
        case BOTH -> {
          for (Step one : step.inside()) {
            live(one);
          }
        }
        default -> table.act(step);
      }
    }

    /**
     * A process ends by itself, dies, or meets what ends it; the next goes on. A restore waits for
     * its end, as it would end all connections.
     */
    private @Nullable Exception process(Step step) throws Exception {
      CompletableFuture<Void> meanwhile =
          CompletableFuture.runAsync(
              () -> step.inside().stream().filter(one -> !isRestore(one)).forEach(table::act));
      Exception failure;
      try {
        failure =
            step.act() == Act.RUN
                ? dying(step, () -> lake.stream(1 + step.number() % 5))
                : dying(step, lake::backfill);
      } finally {
        meanwhile.join();
      }
      step.inside().stream().filter(Lived::isRestore).forEach(table::act);
      return failure;
    }

    private static boolean isRestore(Step step) {
      return step.act() == Act.RESTORE;
    }

    private @Nullable Exception dying(Step step, Work work) throws Exception {
      int files = step.number() == FOREVER ? FOREVER : step.number() * FILES;
      try (DiskFaults faults = DiskFaults.after(files, folder)) {
        work.run();
        return null;
      } catch (Exception e) { // Spark throws checked exceptions undeclared
        boolean isDead =
            causes(e)
                .anyMatch(
                    cause -> String.valueOf(cause.getMessage()).contains("The process is dead"));
        if (isDead || causes(e).anyMatch(CdcError.class::isInstance)) {
          return e;
        }
        throw e;
      }
    }

    private static Stream<Throwable> causes(Throwable failure) {
      return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
    }

    private void requireBronze() {
      assertThat(lake.doubled()).as("changes that are there twice").isZero();
      DrilledLake.Base base = lake.base();
      List<DrilledLake.Gap> gaps = lake.gaps(base);
      if (life.snapshotOnSwitch()) {
        assertThat(gaps).as("gaps that no snapshot has filled").isEmpty();
      }
      Map<Integer, Map<String, @Nullable String>> rebuilt = lake.rebuilt(base);
      Map<Integer, Map<String, @Nullable String>> source = table.rows();
      source.forEach(
          (key, row) -> {
            Map<String, @Nullable String> held = rebuilt.get(key);
            if (held != null) {
              row.keySet().stream()
                  .filter(
                      column ->
                          gaps.stream()
                              .anyMatch(gap -> gap.has(column, table.written(key, column))))
                  .forEach(column -> held.put(column, row.get(column)));
            }
          });
      assertThat(rebuilt).as("bronze from %s on, but for %s", base, gaps).isEqualTo(source);
    }

    private void requireSilver(Random random) {
      lake.apply();
      Map<Integer, Map<String, @Nullable String>> source = table.rows();
      assertThat(lake.silver()).as("silver").isEqualTo(source);
      ReconcileResult clean = lake.reconcile();
      assertThat(clean.failures()).as(clean.summary()).isEmpty();
      TreeSet<String> planted = plant(source.keySet(), random);
      ReconcileResult found = lake.reconcile();
      assertThat(
              found.failures().stream()
                  .map(one -> told(one.type(), String.valueOf(one.key()).replaceAll("\\D", ""))))
          .as(found.summary())
          .containsExactlyInAnyOrderElementsOf(planted);
    }

    private TreeSet<String> plant(Iterable<Integer> keys, Random random) {
      TreeSet<String> planted = new TreeSet<>();
      int foreign = Life.KEYS + random.nextInt(Life.KEYS);
      for (int key : keys) {
        switch (random.nextInt(4)) {
          case 0 -> {
            lake.inSilver("DELETE FROM $silver WHERE id = " + key);
            planted.add(told(Type.MISSING_TARGET, String.valueOf(key)));
          }
          case 1 -> {
            lake.inSilver("UPDATE $silver SET name = 'planted' WHERE id = " + key);
            planted.add(told(Type.RECORD_DIFF, String.valueOf(key)));
          }
          default -> {
            // it stays as it is
          }
        }
      }
      lake.inSilver("INSERT INTO $silver BY NAME SELECT " + foreign + " AS id, 'planted' AS name");
      planted.add(told(Type.MISSING_SOURCE, String.valueOf(foreign)));
      return planted;
    }

    private static String told(Type type, String key) {
      return type + " " + key;
    }
  }
}
