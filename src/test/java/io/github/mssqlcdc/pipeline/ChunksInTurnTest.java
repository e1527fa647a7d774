package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which connection reads which chunks of a wave, once Spark has joined them into tasks. */
@Tag("spark")
final class ChunksInTurnTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "6 | 2 | [[0, 2, 4], [1, 3, 5]]",
        "6 | 3 | [[0, 3], [1, 4], [2, 5]]",
        "3 | 4 | [[0], [1], [2]]",
        "1 | 2 | [[0]]",
        "5 | 1 | [[0, 1, 2, 3, 4]]"
      })
  void ofSoManyConnectionsEachReadsEverySoManiethChunk(
      int chunks, int connections, String expected) {
    assertThat(tasks(chunks, connections)).hasToString(expected);
  }

  /** The plan's last wave may have a round that isn't whole. */
  @ParameterizedTest
  @CsvSource({"5, 2", "7, 3", "11, 4"})
  void ofALastRoundThatIsNotWholeNoConnectionReadsMoreThanOneChunk(int chunks, int connections) {
    assertThat(tasks(chunks, connections))
        .hasSize(connections)
        .allMatch(
            task -> task.size() == chunks / connections || task.size() == chunks / connections + 1);
  }

  private static List<List<Integer>> tasks(int chunks, int connections) {
    List<ChunkBounds> wave =
        IntStream.range(0, chunks)
            .mapToObj(i -> new ChunkBounds(i, ChunkBounds.OPEN, ChunkBounds.OPEN, null, false))
            .toList();
    List<Integer> turns =
        SourceFrames.inTurn(wave, connections).stream().map(ChunkBounds::chunk).toList();
    return new JavaSparkContext(TestSession.get().sparkContext())
        .parallelize(turns, chunks)
        .coalesce(connections)
        .glom()
        .collect();
  }
}
