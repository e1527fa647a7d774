package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckpointTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void aNewOneKnowsNoBatch() {
    assertThat(checkpoint().latestBatch()).isEmpty();
  }

  @Test
  void theHighestNumberCountsAndOtherFilesDoNot() throws Exception {
    Path offsets = Files.createDirectory(folder.resolve("offsets"));
    for (String name : new String[] {"9", "10", ".10.crc", "11.tmp"}) {
      Files.createFile(offsets.resolve(name));
    }
    assertThat(checkpoint().latestBatch()).hasValue(10);
  }

  @Test
  void theEndOfABatchIsReadFromBothVersionsOfSparksLog() throws Exception {
    Path offsets = Files.createDirectory(folder.resolve("offsets"));
    Offset end = new Offset(new Lsn(7, 5), LocalDateTime.of(2026, 11, 1, 15, 0), null);
    Files.writeString(offsets.resolve("3"), "v1\n{\"batchWatermarkMs\":0}\n" + end.json());
    Files.writeString(offsets.resolve("4"), "v2\n{\"sourceMetadataInfo\":{}}\n0:" + end.json());
    Files.writeString(offsets.resolve("5"), "v2\n{}\ncdc_src:" + end.json() + "\n");
    Files.writeString(offsets.resolve("6"), "v1\n{}\n-");
    Files.writeString(offsets.resolve("7"), "v3\n{}\n" + end.json());

    for (long batch = 3; batch <= 5; batch++) {
      assertThat(checkpoint().endOf(batch)).contains(end);
    }
    assertThat(checkpoint().endOf(6)).isEmpty();
    assertThat(checkpoint().endOf(99)).isEmpty();
    assertThatThrownBy(() -> checkpoint().endOf(7))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("Unknown version 'v3' of the offset log in ")
        .hasMessageContaining("offsets/7");
  }

  private Checkpoint checkpoint() {
    return new Checkpoint(folder.toUri().toString(), new Configuration());
  }
}
