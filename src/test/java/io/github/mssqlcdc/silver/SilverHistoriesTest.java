package io.github.mssqlcdc.silver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.silver.OpenSnapshot.State;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many small tables live at random, all in one bronze; applied at random moments, silver is the
 * source in the end.
 */
@Tag("spark")
final class SilverHistoriesTest {
  private static final int COUNT = Integer.getInteger("silver.histories", 400);
  private static final long SEED = Long.getLong("silver.seed", 20261130L);
  private static final int CHUNKS = 4;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void silverIsTheSourceAfterChunksChangesAndSnapshotsOfEveryHistory() {
    Source source = new Source(COUNT, SEED);
    SilverHistory lake = new SilverHistory(folder);

    source.liveUncaptured(4);
    chunked(source, lake, source.lsn());
    assertThat(lake.differences(source.state(0, COUNT))).as("a chunked bootstrap").isEmpty();

    source.restore();
    int snapshot = source.lsn();
    lake.whole(source.snapshot(source.state(0, COUNT), snapshot, snapshot, -1), 1, snapshot);
    assertThat(lake.apply(null).how()).isEqualTo(Applied.How.REBUILT);
    source.live(2);
    lake.batch(source.changes(), 1, source.lsn());
    assertThat(lake.apply(null).how()).isEqualTo(Applied.How.ADVANCED);
    assertThat(lake.differences(source.state(0, COUNT))).as("a restored source").isEmpty();

    source.liveUncaptured(2); // lost to cleanup
    chunked(source, lake, source.lsn());
    assertThat(lake.differences(source.state(0, COUNT))).as("a chunked re-snapshot").isEmpty();
    // what changed its key while it was read, which is done here far more often than anywhere
    assertThat((double) lake.marked() / lake.silver().read().count()).isLessThan(0.35);
    long version = lake.silver().version();
    lake.apply(null);
    assertThat(lake.silver().version()).as("nothing new").isEqualTo(version);
  }

  /** A chunked snapshot beside its stream, which is sometimes ahead of it and sometimes behind. */
  private static void chunked(Source source, SilverHistory lake, int snapshot) {
    OpenSnapshot open = snapshot(source, snapshot, State.OPEN);
    source.live(1);
    lake.batch(source.changes(), source.history(), source.lsn());
    lake.apply(open);
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      int from = bound(chunk);
      int below = bound(chunk + 1);
      int stamp = source.lsn();
      Map<Integer, Map<Integer, Source.Values>> early = source.state(from, below);
      source.live(2);
      if (chunk % 2 == 0) {
        lake.batch(source.changes(), source.history(), source.lsn());
        if (chunk == 2) {
          lake.apply(open);
        }
      }
      // a read sees at least its stamp; of some rows what came later, too
      Map<Integer, Map<Integer, Source.Values>> read = new HashMap<>(early);
      source.state(from, below).entrySet().stream()
          .filter(table -> table.getKey() % 2 == 0)
          .forEach(table -> read.put(table.getKey(), table.getValue()));
      List<Row> rows = source.snapshot(read, stamp, snapshot, chunk);
      lake.wave(
          rows,
          source.history(),
          snapshot,
          stamp,
          source.lsn(),
          List.of(chunk == 0 ? "null" : "" + from, chunk == CHUNKS - 1 ? "null" : "" + below));
      lake.apply(open);
    }
    source.live(1);
    lake.batch(source.changes(), source.history(), source.lsn());
    lake.apply(snapshot(source, snapshot, State.COMPLETE));
  }

  private static int bound(int chunk) {
    return IntStream.range(0, chunk).map(i -> COUNT / CHUNKS).sum();
  }

  private static OpenSnapshot snapshot(Source source, int snapshot, State state) {
    return new OpenSnapshot(
        SilverHistory.position(source.history(), snapshot), List.of("grp"), state);
  }
}
