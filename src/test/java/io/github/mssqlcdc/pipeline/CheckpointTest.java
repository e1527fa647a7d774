package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
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

  private Checkpoint checkpoint() {
    return new Checkpoint(folder.toUri().toString(), new Configuration());
  }
}
