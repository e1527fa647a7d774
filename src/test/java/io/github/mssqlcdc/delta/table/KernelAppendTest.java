package io.github.mssqlcdc.delta.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.delta.table.Append.Outcome;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.spark.DiskFaults;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("spark")
final class KernelAppendTest {
  private static final StructType SCHEMA = new StructType().add("id", DataTypes.LongType);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();
  private final List<Long> appended = new ArrayList<>();
  private LakeTable table;

  @BeforeEach
  void createTable() {
    table = created();
  }

  private LakeTable created() {
    LakeTable created = LakeTable.of(spark, new DeltaTableRef(folder.resolve("t").toString()));
    created.createIfMissing(
        new TableDefinition(
            "A table", SCHEMA, List.of("id"), Map.of("delta.checkpointInterval", "3")));
    return created;
  }

  @Test
  void whateverOthersCommitInBetweenEachRowIsThereOnce() {
    LakeTable other = created();
    for (int round = 0; round < 3; round++) {
      append(table, "one");
      append(table, "one");
      append(other, "other");
      append(table, "one");
      sql("ALTER TABLE %s ADD COLUMN extra" + round + " INT");
      append(table, "one");
      sql("OPTIMIZE %s");
      append(other, "other");
      sql("ALTER TABLE %s SET TBLPROPERTIES ('own' = '" + round + "')");
      append(table, "one");
    }

    assertThat(ids()).containsExactlyElementsOf(appended);
  }

  @Test
  void anIdThatAnotherWriterUsedInBetweenIsSkipped() {
    append(table, "shared");
    append(created(), "shared");

    assertThat(write(table, -1, new TransactionId("shared", 1))).isEqualTo(new Outcome.Skipped(1));
    assertThat(ids()).containsExactlyElementsOf(appended);
  }

  @Test
  void aTableThatWasMadeAnewInBetweenGetsItsRowsAndNoHoleInItsLog() throws Exception {
    File files = folder.resolve("t").toFile();
    File empty = folder.resolve("empty").toFile();
    FileUtils.copyDirectory(files, empty);
    append(table, "one");
    append(table, "one");
    FileUtils.deleteDirectory(files);
    FileUtils.copyDirectory(empty, files);
    appended.clear();

    append(table, "one");
    DeltaLog.clearCache();

    assertThat(ids()).containsExactlyElementsOf(appended);
    assertThat(folder.resolve("t/_delta_log/00000000000000000001.json")).exists();
  }

  @Test
  void aColumnThatWasTakenAwayInBetweenIsNotWritten() {
    sql("ALTER TABLE %s SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')");
    append(table, "one");
    sql("ALTER TABLE %s RENAME COLUMN id TO number");

    assertThatThrownBy(() -> append(table, "one"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no column 'id'");
  }

  @Test
  void aDiskThatFailsIsToldAndIsNoReasonForSparkJobs() {
    append(table, "one");
    try (DiskFaults faults = DiskFaults.after(1, folder);
        CapturedLog log = CapturedLog.of(Appends.class)) {
      assertThatThrownBy(() -> append(table, "one")).hasStackTraceContaining("process is dead");
      assertThat(faults.hasStruck()).isTrue();
      assertThat(log.warnings()).isEmpty();
    }

    append(table, "one");
    assertThat(ids()).containsExactlyElementsOf(appended);
  }

  private void append(LakeTable writer, String appId) {
    long id = appended.size();
    assertThat(write(writer, id, new TransactionId(appId, id)))
        .isInstanceOf(Outcome.Committed.class);
    appended.add(id);
  }

  private static Outcome write(LakeTable writer, long row, TransactionId id) {
    return writer.append(List.of(RowFactory.create(row)), SCHEMA, id);
  }

  private void sql(String statement) {
    spark.sql(String.format(statement, "delta.`" + folder.resolve("t") + "`"));
  }

  private List<Long> ids() {
    return table.read().select("id").orderBy("id").as(Encoders.LONG()).collectAsList();
  }
}
