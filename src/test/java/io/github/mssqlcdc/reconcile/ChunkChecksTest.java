package io.github.mssqlcdc.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.facts.FactsChunk;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.ReconcileFailure;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.ReadChunk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Three chunks: keys below 10, 10 to 20, and from 20 to 31. */
final class ChunkChecksTest {
  private static final Lsn S = Lsn.parse("0x0000000000000000000A");

  private final List<FactsChunk> facts = new ArrayList<>();
  private final List<ReadChunk> read = new ArrayList<>();
  private final Map<Integer, Long> bronze = new HashMap<>();

  ChunkChecksTest() {
    chunk(0, "null", "10", false);
    chunk(1, "10", "20", false);
    chunk(2, "20", "31", true);
  }

  private void chunk(int number, String lo, String hi, boolean last) {
    facts.add(new FactsChunk(S, number, 5L, S.next(), last));
    read.add(bounds(number, lo, hi, last));
    bronze.put(number, 5L);
  }

  private static ReadChunk bounds(int number, String lo, String hi, boolean last) {
    return new ReadChunk(new ChunkBounds(number, lo, hi, null, last), 5, null, null, null);
  }

  private List<String> found(boolean isComplete) {
    return new ChunkChecks(S, isComplete, facts, read, bronze)
        .failures().stream().map(ChunkChecksTest::text).toList();
  }

  private static String text(ReconcileFailure failure) {
    return failure.type() + " " + failure.lo() + " " + failure.hi() + " " + failure.detail();
  }

  @Test
  void chunksThatTileTheKeyAreRight() {
    assertThat(found(true)).isEmpty();
    assertThat(found(false)).isEmpty();
  }

  @Test
  void aChunkWithoutAFactsRowIsMissingAndTheOthersAreStillChecked() {
    facts.remove(1);
    facts.set(1, new FactsChunk(S, 2, 4L, S.previous(), true));
    assertThat(found(true))
        .containsExactly(
            "CHUNK_TILING 10 20 {\"chunk\": 1, \"reason\": \"no facts row\"}",
            "CHUNK_ROWS 10 20 {\"chunk\": 1, \"facts\": null, \"bronze\": 5}",
            "CHUNK_ROWS 20 31 {\"chunk\": 2, \"facts\": 4, \"bronze\": 5}",
            "CHUNK_STAMP 20 31 {\"chunk\": 2, \"stamp\": \"0x00000000000000000009\","
                + " \"snapshot\": \"0x0000000000000000000A\"}");
  }

  @Test
  void aChunkThatWasReadTwiceOrIsNotInBronzeIsTold() {
    facts.add(facts.get(0));
    bronze.remove(2);
    assertThat(found(true))
        .containsExactly(
            "CHUNK_TILING null 10 {\"chunk\": 0, \"reason\": \"2 facts rows\"}",
            "CHUNK_ROWS 20 31 {\"chunk\": 2, \"facts\": 5, \"bronze\": 0}");
  }

  @Test
  void gapsOverlapsAndWrongEndsAreTold() {
    read.set(0, bounds(0, "1", "10", false));
    read.set(1, bounds(1, "11", "20", true));
    read.set(2, bounds(2, "20", "31", false));
    assertThat(found(true))
        .extracting(text -> text.replaceAll(".*reason\": \"(.*)\"}", "$1"))
        .containsExactly(
            "the first one isn't open below",
            "it begins where the one before doesn't end",
            "it comes after the plan's last",
            "complete, but it isn't the plan's last");
  }

  @Test
  void whatIsStillToComeIsNoFailure() {
    facts.remove(2);
    read.remove(2);
    // the wave is in bronze, its facts aren't written yet
    assertThat(found(false)).isEmpty();
    bronze.remove(2);
    assertThat(found(false)).isEmpty();
    facts.clear();
    assertThat(found(false)).isEmpty();
  }
}
