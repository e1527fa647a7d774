package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.snapshot.Generation;
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

  @Test
  void theStreamIsWhereTheLastBatchEndedThatIsDone() throws Exception {
    assertThat(checkpoint().position(-1)).as("a new one").isEmpty();
    Offset start = Offset.of(new Lsn(7, 1));
    Path source = Files.createDirectories(folder.resolve("sources/0"));
    Files.writeString(source.resolve("mssql_cdc_start"), start.json() + "\n");
    assertThat(checkpoint().position(-1)).as("torn: no batch was planned").isEmpty();
    Path offsets = Files.createDirectory(folder.resolve("offsets"));
    for (int batch = 0; batch < 2; batch++) {
      Files.writeString(
          offsets.resolve(Integer.toString(batch)),
          "v1\n{}\n" + Offset.of(new Lsn(7, 2 + batch)).json());
    }

    assertThat(checkpoint().position(-1)).as("planned only").contains(start);
    assertThat(checkpoint().position(0)).as("held").contains(Offset.of(new Lsn(7, 2)));
    Files.createFile(Files.createDirectory(folder.resolve("commits")).resolve("0"));
    assertThat(checkpoint().position(-1)).as("committed").contains(Offset.of(new Lsn(7, 2)));
    assertThat(checkpoint().position(1)).as("held").contains(Offset.of(new Lsn(7, 3)));
    assertThat(checkpoint().position(9)).as("of another").contains(Offset.of(new Lsn(7, 3)));
  }

  @Test
  void aLaterGenerationHasItsOwnInsideTheFirstOnes() throws Exception {
    Checkpoint first = checkpoint();
    assertThat(first.latestGeneration()).isZero();
    assertThat(first.of(Generation.FIRST)).isSameAs(first);
    Files.createDirectories(folder.resolve("_generations/2/offsets"));
    Files.createFile(folder.resolve("_generations/2/offsets/4"));

    assertThat(first.latestGeneration()).isEqualTo(2);
    assertThat(first.of(new Generation(2, null, 0)).latestBatch()).hasValue(4);
    assertThat(first.of(new Generation(3, null, 0)).latestBatch()).isEmpty();
  }

  @Test
  void theGenerationFileIsReadUnlessItIsTorn() throws Exception {
    GenerationFile file = new GenerationFile(checkpoint());
    Path path = folder.resolve("_mssql_cdc_generation.json");
    file.keep(Generation.FIRST);
    assertThat(path).doesNotExist();
    file.keep(new Generation(2, Offset.of(new Lsn(7, 5)), 1));
    assertThat(file.read()).contains(new Generation(2, Offset.of(new Lsn(7, 5)), 0));

    for (String torn : new String[] {"", "{\"generation\": 2, \"snap", "{}", "[]"}) {
      Files.deleteIfExists(folder.resolve("._mssql_cdc_generation.json.crc"));
      Files.writeString(path, torn);
      assertThat(file.read()).as(torn).isEmpty();
    }
    file.keep(new Generation(3, Offset.of(new Lsn(7, 9)), 1));
    assertThat(file.read().orElseThrow().number()).isEqualTo(3);
  }

  @Test
  void theOwnerFileIsReadUnlessItIsTorn() throws Exception {
    OwnerFile file = new OwnerFile(checkpoint());
    assertThat(file.read()).isEmpty();
    OwnerFile.Owner owner = new OwnerFile.Owner("orders-v1", "bronze.orders");
    file.keep(owner);
    assertThat(file.read()).contains(owner);

    for (String torn : new String[] {"", "{\"app_id\": \"ord", "{}", "[]"}) {
      Files.deleteIfExists(folder.resolve("._mssql_cdc_owner.json.crc"));
      Files.writeString(folder.resolve("_mssql_cdc_owner.json"), torn);
      assertThat(file.read()).as(torn).isEmpty();
    }
    file.keep(new OwnerFile.Owner("orders-v1", "bronze.renamed"));
    assertThat(file.read().orElseThrow().target()).isEqualTo("bronze.renamed");
  }

  @Test
  void withoutFactsTheCheckpointTellsTheGenerationOrTheStartIsRefused() throws Exception {
    LiveStream stream = new LiveStream("orders-v1", checkpoint());
    assertThat(stream.found(null).sinkId()).isEqualTo("orders-v1");
    Files.createDirectories(folder.resolve("_generations/2"));
    assertThatThrownBy(() -> stream.found(null))
        .as("no file, and no batch to go on after")
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("Missing factsTable", "generation 2", ".factsTable(");

    Files.createDirectories(folder.resolve("_generations/2/offsets"));
    Files.createFile(folder.resolve("_generations/2/offsets/0"));
    assertThat(stream.found(null).sinkId()).isEqualTo("orders-v1.g2");
    new GenerationFile(checkpoint()).keep(new Generation(3, Offset.of(new Lsn(7, 5)), 1));
    LiveStream live = stream.found(null);
    assertThat(live.sinkId()).isEqualTo("orders-v1.g3");
    assertThat(live.isNew()).isTrue();
    assertThat(live.generation().start()).isEqualTo(Offset.of(new Lsn(7, 5)));
  }

  private Checkpoint checkpoint() {
    Configuration hadoop = new Configuration();
    // the file system kept for others in this JVM is the shared session's
    hadoop.setBoolean("fs.file.impl.disable.cache", true);
    return new Checkpoint(folder.toUri().toString(), hadoop);
  }
}
