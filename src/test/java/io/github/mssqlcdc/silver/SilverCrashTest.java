package io.github.mssqlcdc.silver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.silver.OpenSnapshot.State;
import io.github.mssqlcdc.testkit.spark.DiskFaults;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.types.StructField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that die anywhere, and what the table is made as. */
@Tag("spark")
final class SilverCrashTest {
  private static final int COUNT = 8;
  private static final int MOST_OPERATIONS = 60;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void aCallThatDiesAnywhereIsMadeGoodByTheNext() {
    Source source = new Source(COUNT, 7);
    SilverHistory lake = new SilverHistory(folder);
    source.liveUncaptured(3);
    int snapshot = source.lsn();
    lake.whole(source.snapshot(source.state(0, COUNT), snapshot, snapshot, -1), 0, snapshot);
    int first = dyingCalls(lake);
    assertThat(lake.differences(source.state(0, COUNT))).isEmpty();

    source.live(3);
    lake.batch(source.changes(), 0, source.lsn());
    int second = dyingCalls(lake);
    assertThat(lake.differences(source.state(0, COUNT))).isEmpty();
    assertThat(List.of(first, second)).allMatch(calls -> calls > 2);
    long version = lake.silver().version();
    lake.apply(null);
    assertThat(lake.silver().version()).isEqualTo(version);
  }

  /** Each call gets a little further, until one comes through; how many died. */
  private static int dyingCalls(SilverHistory lake) {
    for (int last = 0; last < MOST_OPERATIONS; last += 2) {
      try (DiskFaults faults = DiskFaults.after(last, lake.silverFolder())) {
        try {
          lake.apply(null);
        } catch (Exception e) {
          if (!faults.hasStruck()) {
            throw e;
          }
          continue;
        }
        if (!faults.hasStruck()) {
          return last / 2;
        }
      }
    }
    throw new AssertionError("No call came through");
  }

  @Test
  void silverIsMadeClusteredByKeyWithDeletionVectorsAndComments() {
    Source source = new Source(2, 3);
    SilverHistory lake = new SilverHistory(folder);
    source.live(2);
    lake.batch(source.changes(), 0, source.lsn());
    lake.apply(null);
    assertThat(lake.silver().schema().fieldNames())
        .containsExactly(
            "grp", "id", "a", "body", "_start_lsn", "_commit_ts", "_history", "_unknown_columns");
    assertThat(Stream.of(lake.silver().schema().fields()).filter(f -> f.name().startsWith("_")))
        .allSatisfy((StructField field) -> assertThat(field.getComment().get()).isNotBlank());
    assertThat(lake.silver().properties())
        .containsEntry("delta.enableDeletionVectors", "true")
        .containsEntry("mssql_cdc.schema_version", "1");
    assertThat(
            io.github.mssqlcdc.testkit.spark.TestSession.get()
                .sql("DESCRIBE DETAIL " + lake.silver().ref().sql())
                .select("clusteringColumns")
                .head()
                .getList(0))
        .isEqualTo(List.of("grp", "id"));
  }

  @Test
  void aSnapshotOfAnEmptiedTableEmptiesSilverOnce() {
    Source source = new Source(2, 3);
    SilverHistory lake = new SilverHistory(folder);
    source.live(4);
    lake.batch(source.changes(), 0, source.lsn());
    lake.apply(null);
    int snapshot = source.lsn() + 1;
    OpenSnapshot open =
        new OpenSnapshot(SilverHistory.position(0, snapshot), List.of("grp"), State.OPEN);
    assertThat(lake.apply(open).isOpen()).isTrue();
    assertThat(lake.silver().read().isEmpty()).isFalse();
    OpenSnapshot complete = new OpenSnapshot(open.position(), open.keys(), State.COMPLETE);
    assertThat(lake.apply(complete).how()).isEqualTo(Applied.How.REBUILT);
    assertThat(lake.silver().read().isEmpty()).isTrue();
    long version = lake.silver().version();
    assertThat(lake.apply(complete).how()).isEqualTo(Applied.How.ADVANCED);
    assertThat(lake.silver().version()).isEqualTo(version);
  }
}
