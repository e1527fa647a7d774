package io.github.mssqlcdc.silver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.silver.OpenSnapshot.State;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many small tables live at random, all in one bronze, so that a call is for all of them; applied
 * at random moments, silver is the source in the end. {@code -Dsilver.histories} gives more, {@code
 * -Dsilver.seed} others.
 */
@Tag("spark")
final class SilverHistoriesTest {
  private static final int COUNT = Integer.getInteger("silver.histories", 500);
  private static final long SEED = Long.getLong("silver.seed", 20261130L);
  private static final int CHUNKS = 4;

  /** When silver is brought forward, while what follows is still to come. */
  private final Random moments = new Random(SEED);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void silverIsTheSourceAfterChunksChangesAndSnapshotsOfEveryHistory() {
    Source source = new Source(COUNT, SEED);
    SilverHistory lake = new SilverHistory(folder);

    source.liveUncaptured(4);
    int bootstrap = chunked(source, lake);
    follow(source, lake);
    lake.apply(snapshot(source, bootstrap, State.COMPLETE));
    assertIsTheSource("a chunked bootstrap", source, lake);

    source.restore();
    whole(source, lake);
    assertIsTheSource("a restored source", source, lake);

    source.liveUncaptured(2); // lost to cleanup
    int begin = chunked(source, lake);
    lake.forgetSilver(); // while the stream is behind what the chunks have seen
    assertThat(lake.apply(snapshot(source, begin, State.OPEN)).how())
        .isEqualTo(Applied.How.REBUILT);
    follow(source, lake);
    lake.apply(snapshot(source, begin, State.COMPLETE));
    assertIsTheSource("a chunked re-snapshot", source, lake);
    // what changed its key while it was read, which is done here far more often than anywhere
    assertThat((double) lake.marked() / lake.silver().read().count()).isLessThan(0.35);
    long version = lake.silver().version();
    lake.apply(null);
    assertThat(lake.silver().version()).as("nothing new").isEqualTo(version);
  }

  private static void assertIsTheSource(String after, Source source, SilverHistory lake) {
    List<SilverHistory.Difference> differences = lake.differences(source.state(0, COUNT));
    if (!differences.isEmpty()) {
      int table = differences.get(0).table();
      throw new AssertionError(
          "After %s of -Dsilver.histories=%d with -Dsilver.seed=%d %d rows differ, of table %d:\n%s\nIts images:\n%s"
              .formatted(
                  after,
                  COUNT,
                  SEED,
                  differences.size(),
                  table,
                  SilverHistory.lines(
                      differences.stream()
                          .filter(one -> one.table() == table)
                          .map(SilverHistory.Difference::text)),
                  SilverHistory.lines(lake.images(table).stream())));
    }
  }

  /** A snapshot that sees commits later than its stamp, and whose stream follows in small steps. */
  private static void whole(Source source, SilverHistory lake) {
    int stamp = source.lsn();
    Map<Integer, Map<Integer, Source.Values>> early = source.state(0, COUNT);
    source.live(2);
    List<Row> rows = source.snapshot(read(source, early, 0, COUNT), stamp, stamp, -1);
    lake.whole(rows, source.history(), stamp, source.lsn());
    lake.batch(source.changesThrough(stamp + 1), source.history(), stamp + 1);
    assertThat(lake.apply(null).how()).isEqualTo(Applied.How.REBUILT);
    follow(source, lake);
    assertThat(lake.apply(null).how()).isEqualTo(Applied.How.ADVANCED);
  }

  /** All chunks of a snapshot; the stream beside it is sometimes ahead and sometimes behind. */
  private int chunked(Source source, SilverHistory lake) {
    int begin = source.lsn();
    OpenSnapshot open = snapshot(source, begin, State.OPEN);
    follow(source, lake);
    sometimes(lake, open);
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      int from = chunk * COUNT / CHUNKS;
      int below = (chunk + 1) * COUNT / CHUNKS;
      int stamp = source.lsn();
      Map<Integer, Map<Integer, Source.Values>> early = source.state(from, below);
      source.live(2);
      if (chunk % 2 == 0) {
        lake.batch(source.changes(), source.history(), source.lsn());
        sometimes(lake, open);
      }
      List<Row> rows = source.snapshot(read(source, early, from, below), stamp, begin, chunk);
      lake.wave(
          rows,
          source.history(),
          begin,
          stamp,
          source.lsn(),
          List.of(chunk == 0 ? "null" : "" + from, chunk == CHUNKS - 1 ? "null" : "" + below));
      sometimes(lake, open);
    }
    return begin;
  }

  private void sometimes(SilverHistory lake, OpenSnapshot open) {
    if (moments.nextInt(4) == 0) {
      lake.apply(open);
    }
  }

  private static void follow(Source source, SilverHistory lake) {
    source.live(1);
    lake.batch(source.changes(), source.history(), source.lsn());
  }

  /** A read sees at least its stamp; of some tables what came later, too. */
  private static Map<Integer, Map<Integer, Source.Values>> read(
      Source source, Map<Integer, Map<Integer, Source.Values>> early, int from, int below) {
    Map<Integer, Map<Integer, Source.Values>> read = new HashMap<>(early);
    source.state(from, below).entrySet().stream()
        .filter(table -> table.getKey() % 2 == 0)
        .forEach(table -> read.put(table.getKey(), table.getValue()));
    return read;
  }

  private static OpenSnapshot snapshot(Source source, int begin, State state) {
    return new OpenSnapshot(SilverHistory.position(source.history(), begin), List.of("grp"), state);
  }
}
