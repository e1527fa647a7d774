package io.github.mssqlcdc.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.Progress;
import io.github.mssqlcdc.plans.ReadChunk;
import io.github.mssqlcdc.plans.ReadWave;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
final class WaveRecordsTest {
  private static final String POOL = "spark.scheduler.pool";

  private static ReadWave wave(int number) {
    ChunkBounds chunk =
        new ChunkBounds(number, ChunkBounds.OPEN, ChunkBounds.OPEN, null, false);
    return new ReadWave(
        number,
        Offset.of(Lsn.ZERO),
        0,
        null,
        null,
        null,
        List.of(new ReadChunk(chunk, 1, null, null, null)));
  }

  @Test
  void wavesAreRecordedOneAfterTheOtherWithTheCallersJobGroupAndPool() {
    SparkContext spark = TestSession.get().sparkContext();
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    spark.setJobGroup("nightly", "a backfill", false);
    spark.setLocalProperty(POOL, "slow");
    try (WaveRecords records =
        new WaveRecords(
            (before, wave) -> {
              seen.add("begin " + wave.wave());
              Thread.yield();
              seen.add(
                  wave.wave()
                      + " in "
                      + spark.getLocalProperty("spark.jobGroup.id")
                      + " and "
                      + spark.getLocalProperty(POOL));
            })) {
      records.submit(Progress.NONE, wave(0));
      records.submit(Progress.NONE, wave(1));
      records.await();
    } finally {
      spark.clearJobGroup();
      spark.setLocalProperty(POOL, null);
    }

    assertThat(seen)
        .containsExactly(
            "begin 0", "0 in nightly and slow", "begin 1", "1 in nightly and slow");
  }
}
