package io.github.mssqlcdc.delta.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.delta.table.TableDefinition;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first release has one version only; the older and newer ones here are made up. */
@Tag("spark")
final class VersionedTableTest {
  private static final TableDefinition FIRST =
      definition(
          "First",
          VersionedTable.column("a", DataTypes.LongType, "An a"),
          VersionedTable.column("at", DataTypes.TimestampNTZType, "A time"));
  private static final TableDefinition SECOND =
      definition(
          "The table's second \\ form",
          VersionedTable.column("a", DataTypes.LongType, "It's an a"),
          VersionedTable.column("at", DataTypes.TimestampNTZType, "A time"),
          VersionedTable.column("b b", DataTypes.StringType, "A \\ and a 'b'"),
          VersionedTable.column("c", DataTypes.TimestampNTZType, "A c"));

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();

  private static TableDefinition definition(String comment, StructField... columns) {
    return new TableDefinition(comment, new StructType(columns), List.of("a"), Map.of());
  }

  private LakeTable table(String name) {
    return LakeTable.of(spark, new DeltaTableRef(folder.resolve(name).toString()));
  }

  private void set(LakeTable table, String properties) {
    spark.sql("ALTER TABLE " + table.ref().sql() + " SET TBLPROPERTIES (" + properties + ")");
  }

  private String comment(LakeTable table) {
    return spark
        .sql("DESCRIBE DETAIL " + table.ref().sql())
        .select("description")
        .head()
        .getString(0);
  }

  @Test
  void anOlderTableBecomesLikeANewOneOnceAndKeepsItsRows() {
    LakeTable old = table("old `one`");
    VersionedTable.open(old, FIRST, 1);
    old.append(List.of(RowFactory.create(1L, null)), FIRST.columns());
    set(
        old,
        "'delta.columnMapping.mode' = 'name', 'delta.minReaderVersion' = '2',"
            + " 'delta.minWriterVersion' = '5'");
    LakeTable fresh = table("new");
    VersionedTable.open(fresh, SECOND, 2);

    VersionedTable.open(old, SECOND, 2);

    assertThat(described(old)).isEqualTo(described(fresh));
    assertThat(comment(old)).isEqualTo(comment(fresh)).isEqualTo(SECOND.comment());
    assertThat(old.properties()).containsEntry("mssql_cdc.schema_version", "2");
    assertThat(old.read().head()).isEqualTo(RowFactory.create(1L, null, null, null));

    long version = old.version();
    VersionedTable.open(table("old `one`"), SECOND, 2);
    assertThat(old.version()).isEqualTo(version);
  }

  private static List<String> described(LakeTable table) {
    return Arrays.stream(table.schema().fields())
        .map(field -> field.name() + " " + field.dataType().sql() + " " + field.getComment().get())
        .toList();
  }

  @Test
  void anUnstampedTableCountsAsTheOldestAndIsStamped() {
    // as a crash between the last column and the stamp leaves it
    LakeTable table = table("unstamped");
    table.createIfMissing(SECOND);
    VersionedTable.open(table, SECOND, 2);
    assertThat(table.properties()).containsEntry("mssql_cdc.schema_version", "2");
    assertThat(table.version()).isEqualTo(1);
  }

  @Test
  void twoThatUpgradeATableAtOnceDoNotHinderEachOther() {
    VersionedTable.open(table("shared"), FIRST, 1);
    set(table("shared"), "'delta.columnMapping.mode' = 'name'");
    CompletableFuture<?>[] both =
        Stream.of(table("shared"), table("shared"))
            .map(table -> CompletableFuture.runAsync(() -> VersionedTable.open(table, SECOND, 2)))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(both).join();
    assertThat(table("shared").schema().fieldNames()).containsExactly("a", "at", "b b", "c");
  }

  @Test
  void aTableOfANewerReleaseIsWrittenToAsItIsWithOneWarning() {
    LakeTable table = table("newer");
    VersionedTable.open(table, FIRST);
    set(table, "'mssql_cdc.schema_version' = '99', 'mssql_cdc.min_version' = '1'");
    try (CapturedLog log = CapturedLog.of(VersionedTable.class)) {
      VersionedTable.open(table("newer"), SECOND);
      VersionedTable.check(table("newer"));
      assertThat(log.warnings())
          .containsExactly(
              table.ref()
                  + ": table version 99 comes from a newer release, this one knows 1; it is written"
                  + " to as it is");
    }
    assertThat(table.schema().fieldNames()).containsExactly("a", "at");

    set(table, "'mssql_cdc.min_version' = '2'");
    assertThatThrownBy(() -> VersionedTable.open(table("newer"), FIRST))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Cannot write to '"
                + table.ref()
                + "': it needs a release that knows table version 2, this one knows 1; use the"
                + " release that migrated it, or a newer one");
  }

  @Test
  void whoLosesTheRaceToCreateTakesTheOthersTable() {
    CompletableFuture<?>[] racers =
        Stream.generate(() -> table("raced"))
            .limit(4)
            .map(table -> CompletableFuture.runAsync(() -> VersionedTable.open(table, FIRST)))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(racers).join();
    assertThat(table("raced").newestCommits()).hasSize(1);
  }

  @Test
  void whatPreventsATableIsToldWhereThereIsNone() throws Exception {
    Files.writeString(folder.resolve("file"), "in the way");
    assertThatThrownBy(() -> VersionedTable.open(table("file/t"), FIRST))
        .hasStackTraceContaining(folder.resolve("file").toString());
  }

  @Test
  void aNameWithItsCatalogIsUpgradedThroughTheCatalog() {
    String name = "spark_catalog.default.t" + UUID.randomUUID().toString().replace("-", "");
    LakeTable table = LakeTable.of(spark, new DeltaTableRef(name));
    TableDefinition more =
        definition("Second", VersionedTable.column("c", DataTypes.LongType, "A c"));
    VersionedTable.open(table, FIRST, 1);
    VersionedTable.open(table, more, 2);
    assertThat(spark.table(name).schema().fieldNames()).containsExactly("a", "at", "c");
    assertThat(comment(table)).isEqualTo("Second");
  }
}
