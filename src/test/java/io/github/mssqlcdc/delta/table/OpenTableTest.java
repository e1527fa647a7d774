package io.github.mssqlcdc.delta.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.spark.TestSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What other processes do to a log, of which this one's Delta hears nothing. */
@Tag("spark")
final class OpenTableTest {
  private static final StructType SCHEMA = new StructType().add("id", DataTypes.LongType);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private LakeTable table;

  @BeforeEach
  void createTable() {
    table = create("t");
    append(table);
  }

  private LakeTable create(String name) {
    LakeTable created = LakeTable.of(TestSession.get(), new DeltaTableRef(path(name).toString()));
    created.createIfMissing(new TableDefinition("A table", SCHEMA, List.of("id"), Map.of()));
    return created;
  }

  private static void append(LakeTable to) {
    to.append(List.of(RowFactory.create(1L)), SCHEMA);
  }

  private Path path(String name) {
    return folder.resolve(name);
  }

  private Path commit(String name, long version) {
    return path(name).resolve("_delta_log/%020d.json".formatted(version));
  }

  @Test
  void theCommitsOfOthersAreSeen() throws Exception {
    assertThat(table.version()).isEqualTo(1);

    Files.copy(commit("t", 1), commit("t", 2));

    assertThat(table.version()).isEqualTo(2);
    Files.copy(commit("t", 1), commit("t", 3));
    Files.copy(commit("t", 1), commit("t", 4));
    assertThat(table.version()).isEqualTo(4);
  }

  @Test
  void aLogMadeAnewInItsPlaceIsSeen() throws IOException {
    LakeTable other = create("other");
    assertThat(table.version()).isEqualTo(1);
    assertThat(other.version()).isZero();

    FileUtils.deleteDirectory(path("t").toFile());
    Files.move(path("other"), path("t"), StandardCopyOption.ATOMIC_MOVE);

    assertThat(table.version()).isZero();
  }
}
