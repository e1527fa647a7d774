package io.github.mssqlcdc.delta.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("spark")
final class KnownReadsTest {
  private static final StructType SCHEMA = new StructType().add("id", DataTypes.LongType);

  private final AtomicInteger reads = new AtomicInteger();

  @Test
  void aTableIsReadAgainOnlyOnceItHasChanged(@TempDir Path folder) {
    LakeTable table = table(folder);
    table.createIfMissing(new TableDefinition("A table", SCHEMA, List.of("id"), Map.of()));
    KnownReads known = new KnownReads(table);

    assertThat(List.of(count(known, table), count(known, table))).containsExactly(0L, 0L);
    assertThat(reads).hasValue(1);
    assertThat(known.<Long>get("another question", () -> 7L)).isEqualTo(7);

    table(folder).append(List.of(RowFactory.create(1L)), SCHEMA);

    assertThat(List.of(count(known, table), count(known, table))).containsExactly(1L, 1L);
    assertThat(reads).hasValue(2);
    assertThat(known.<Long>get("another question", () -> 8L)).isEqualTo(8);
  }

  private static LakeTable table(Path folder) {
    return LakeTable.of(TestSession.get(), new DeltaTableRef(folder.resolve("t").toString()));
  }

  private long count(KnownReads known, LakeTable table) {
    return known.get(
        "count",
        () -> {
          reads.incrementAndGet();
          return table.read().count();
        });
  }
}
