package io.github.mssqlcdc.delta.table;

import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.delta.table.Append.Outcome;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("spark")
final class LakeTableTest {
  private static final StructType SCHEMA =
      new StructType()
          .add("id", DataTypes.LongType)
          .add("text", DataTypes.StringType)
          .add("share", DataTypes.DoubleType)
          .add("at", DataTypes.TimestampNTZType);
  private static final LocalDateTime AT = LocalDateTime.of(1969, 7, 20, 20, 17, 40, 123_456_000);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();
  private LakeTable table;

  @BeforeEach
  void createTable() {
    table = create(folder.resolve("t `x`").toString());
  }

  private LakeTable create(String ref) {
    LakeTable created = LakeTable.of(spark, new DeltaTableRef(ref));
    created.createIfMissing(
        new TableDefinition("A table", SCHEMA, List.of("id"), Map.of("own", "1")));
    return created;
  }

  private Dataset<Row> rows(long... ids) {
    return spark.createDataFrame(
        java.util.Arrays.stream(ids).mapToObj(LakeTableTest::row).toList(), SCHEMA);
  }

  private static Row row(long id) {
    return RowFactory.create(id, "a" + id, 0.5, AT);
  }

  private List<Long> ids() {
    return table
        .read()
        .select("id")
        .orderBy("id")
        .as(org.apache.spark.sql.Encoders.LONG())
        .collectAsList();
  }

  @Test
  void aTransactionIdIsAppendedOnce() {
    TransactionId id = new TransactionId("app", 3);
    assertThat(table.latestTransaction("app")).isEmpty();

    assertThat(table.append(rows(1, 2), Append.of(id, "{\"n\": 1}")))
        .isEqualTo(new Outcome.Committed(1));
    assertThat(table.append(rows(1, 2), Append.of(id, null))).isEqualTo(new Outcome.Skipped(3));
    assertThat(table.append(rows(9), Append.of(new TransactionId("app", 2), null)))
        .isEqualTo(new Outcome.Skipped(3));

    assertThat(ids()).containsExactly(1L, 2L);
    assertThat(table.latestTransaction("app")).hasValue(3);
    Commit commit = table.find(id).orElseThrow();
    assertThat(commit.version()).isEqualTo(1);
    assertThat(commit.userMetadata()).isEqualTo("{\"n\": 1}");
    assertThat(commit.rows()).isEqualTo(2);
  }

  @Test
  void theWritesOfAnotherTableObjectAreSeen() {
    LakeTable other = LakeTable.of(spark, table.ref());
    assertThat(table.latestTransaction("app")).isEmpty();
    other.append(rows(1), Append.of(new TransactionId("app", 5), null));
    other.append(rows(2), Append.of(new TransactionId("app", 6), null));

    assertThat(table.latestTransaction("app")).hasValue(6);
    assertThat(table.append(rows(9), Append.of(new TransactionId("app", 6), null)))
        .isEqualTo(new Outcome.Skipped(6));
  }

  /** A new object has met none of the commits. */
  @Test
  void anIdIsKnownHoweverManyCommitsLieAboveIt() {
    var unused = table.append(List.of(row(1)), SCHEMA, new TransactionId("early", 2));
    for (int version = 0; version < 12; version++) {
      unused = table.append(List.of(row(1)), SCHEMA, new TransactionId("late", version));
      LakeTable later = LakeTable.of(spark, table.ref());
      assertThat(later.latestTransaction("early")).hasValue(2);
      assertThat(later.latestTransaction("late")).hasValue(version);
      assertThat(later.latestTransaction("none")).isEmpty();
    }
  }

  @Test
  void ofTwoWritersWithOneIdTheSecondIsSkipped() {
    LakeTable other = LakeTable.of(spark, table.ref());
    TransactionId id = new TransactionId("app", 0);
    AtomicInteger asked = new AtomicInteger();

    Outcome outcome =
        table.append(
            rows(1),
            new Append(
                id,
                () -> null,
                latest -> {},
                () -> {
                  if (asked.getAndIncrement() == 0) {
                    CompletableFuture.supplyAsync(() -> other.append(rows(2), Append.of(id, null)))
                        .join();
                  }
                  return true;
                }));

    assertThat(outcome).isEqualTo(new Outcome.Skipped(0));
    assertThat(ids()).containsExactly(2L);
  }

  @Test
  void allThatAnAppendDecidesRestsOnOneLookAtTheLog() {
    LakeTable other = LakeTable.of(spark, table.ref());
    TransactionId others = new TransactionId("other", 0);
    List<Long> versions = new ArrayList<>();

    Outcome outcome =
        table.append(
            rows(1),
            new Append(
                new TransactionId("app", 0),
                () -> null,
                latest -> versions.add(table.version()),
                () -> {
                  CompletableFuture.supplyAsync(
                          () -> other.append(rows(2), Append.of(others, null)))
                      .join();
                  return versions.add(table.version());
                }));

    assertThat(versions).containsExactly(0L, 0L);
    assertThat(outcome).isEqualTo(new Outcome.Committed(2));
    assertThat(table.version()).isEqualTo(2);
  }

  @Test
  void givingUpOrFailingBeforeTheCommitLeavesNothing() {
    TransactionId id = new TransactionId("app", 0);
    assertThat(table.append(rows(1), new Append(id, () -> null, latest -> {}, () -> false)))
        .isEqualTo(new Outcome.GivenUp());
    assertThatThrownBy(
            () ->
                table.append(
                    rows(1),
                    new Append(
                        id,
                        () -> null,
                        latest -> {},
                        () -> {
                          throw new IllegalStateException("no");
                        })))
        .hasMessage("no");

    assertThat(table.latestTransaction("app")).isEmpty();
    assertThat(ids()).isEmpty();
  }

  @Test
  void fewRowsAreAppendedOnceWithoutASparkJob() {
    TransactionId id = new TransactionId("few", 7);
    StructType part = new StructType().add("at", DataTypes.TimestampNTZType).add("id", "long");
    List<Row> rows = List.of(RowFactory.create(AT, 1L), RowFactory.create(null, 2L));

    assertThat(table.append(rows, part, id)).isEqualTo(new Outcome.Committed(1));
    assertThat(table.append(rows, part, id)).isInstanceOf(Outcome.Skipped.class);

    assertThat(table.read().orderBy("id").collectAsList())
        .containsExactly(
            RowFactory.create(1L, null, null, AT), RowFactory.create(2L, null, null, null));
    assertThat(table.latestTransaction("few")).hasValue(7);
    assertThat(table.commit(1).orElseThrow().transactions()).containsExactly(id);
  }

  @Test
  void fewRowsWithoutAnIdAreAppendedEachTime() {
    for (int i = 0; i < 12; i++) {
      table.append(List.of(row(1)), SCHEMA);
    }
    assertThat(ids()).hasSize(12);
    assertThat(folder.resolve("t `x`/_delta_log/_last_checkpoint")).exists();
  }

  @Test
  void fewRowsWithAColumnThatTheTableLacksAreRefused() {
    StructType more = new StructType().add("id", "long").add("more", "long");
    List<Row> rows = List.of(RowFactory.create(1L, 2L));
    assertThatThrownBy(() -> table.append(rows, more, new TransactionId("few", 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot append to '" + table.ref() + "': it has no column 'more'");
    assertThatThrownBy(() -> table.append(rows, more)).isInstanceOf(IllegalArgumentException.class);
    assertThat(table.version()).isZero();
  }

  /** A constraint is a thing that Kernel can't check, so it doesn't write to such a table. */
  @Test
  void fewRowsGoThroughSparkWhereKernelCannotWrite() {
    table.append(List.of(row(1)), SCHEMA, new TransactionId("few", 0));
    spark.sql("ALTER TABLE " + table.ref().sql() + " ADD CONSTRAINT positive CHECK (id > 0)");
    try (CapturedLog log = CapturedLog.of(Appends.class)) {
      for (long version = 0; version < 3; version++) {
        TransactionId id = new TransactionId("few", version);
        assertThat(table.append(List.of(row(version + 1)), SCHEMA, id))
            .isInstanceOf(version == 0 ? Outcome.Skipped.class : Outcome.Committed.class);
      }
      table.append(List.of(row(9)), SCHEMA);
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains("written to through Spark jobs from now on");
    }
    assertThat(ids()).containsExactly(1L, 2L, 3L, 9L);
  }

  @Test
  void ofAWideTableOnlyTheColumnsNamedHaveStatistics() throws Exception {
    StructType wide = new StructType();
    for (int i = 0; i < 40; i++) {
      wide = wide.add("c" + i, DataTypes.LongType);
    }
    wide = wide.add("key.part", DataTypes.LongType);
    table = LakeTable.of(spark, new DeltaTableRef(folder.resolve("wide").toString()));
    table.createIfMissing(new TableDefinition("Wide", wide, List.of("c39", "key.part"), Map.of()));
    Object[] values = LongStream.range(0, 41).boxed().toArray();
    Dataset<Row> rows = spark.createDataFrame(List.of(RowFactory.create(values)), wide);

    table.append(rows, Append.of(new TransactionId("app", 0), null));

    assertThat(Files.readString(folder.resolve("wide/_delta_log/00000000000000000001.json")))
        .contains("\\\"minValues\\\":{\\\"c39\\\":39,\\\"key.part\\\":40}");
  }

  @Test
  void namesWorkAsPathsDo() throws Exception {
    String name = "lake_" + UUID.randomUUID().toString().replace("-", "");
    assertThat(LakeTable.of(spark, new DeltaTableRef(name)).exists()).isFalse();
    table = create(name);
    assertThat(table.exists()).isTrue();
    assertThat(spark.catalog().getTable(name).description()).isEqualTo("A table");

    table.append(rows(1), Append.of(new TransactionId("app", 0), null));
    table.append(List.of(row(2)), SCHEMA, new TransactionId("app", 1));

    assertThat(ids()).containsExactly(1L, 2L);
    assertThat(table.properties())
        .containsEntry("own", "1")
        .containsEntry("delta.dataSkippingStatsColumns", "`id`")
        .doesNotContainKey("delta.columnMapping.mode");
  }

  @Test
  void aNewColumnIsAdded() {
    table.append(rows(1).withColumn("more", lit(5)), Append.of(new TransactionId("app", 0), null));
    assertThat(table.schema().fieldNames()).containsExactly("id", "text", "share", "at", "more");
  }

  @Test
  void aNameThatParquetCannotHoldIsMapped() {
    LakeTable mapped = LakeTable.of(spark, new DeltaTableRef(folder.resolve("mapped").toString()));
    StructType schema = new StructType().add("created at", "long");
    mapped.createIfMissing(new TableDefinition("Mapped", schema, List.of("created at"), Map.of()));
    assertThat(mapped.properties()).containsEntry("delta.columnMapping.mode", "name");

    mapped.append(
        spark.createDataFrame(List.of(RowFactory.create(1L)), schema),
        Append.of(new TransactionId("app", 0), null));
    mapped.append(List.of(RowFactory.create(2L)), schema, new TransactionId("app", 1));

    assertThat(mapped.read().orderBy("created at").collectAsList())
        .containsExactly(RowFactory.create(1L), RowFactory.create(2L));
  }

  @Test
  void aTableOfAnotherFormatIsRefused() {
    String name = "plain_" + UUID.randomUUID().toString().replace("-", "");
    rows(1).write().format("parquet").saveAsTable(name);
    assertThatThrownBy(() -> LakeTable.of(spark, new DeltaTableRef(name)).exists())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Unsupported table '" + name + "': it is no Delta table; name one, or a new table");
  }

  @Test
  void aNewColumnMayHaveADotOrABacktickWithoutMapping() {
    table.append(
        rows(1).withColumn("a.b`c`", lit(5)), Append.of(new TransactionId("app", 0), null));
    table.append(
        rows(2).withColumn("a.b`c`", lit(6)), Append.of(new TransactionId("app", 1), null));
    assertThat(table.read().selectExpr("sum(`a.b``c```)").head().getLong(0)).isEqualTo(11);
  }

  /** ERR-4: the statement of the message is what Delta wants. */
  @Test
  void aNameThatNeedsMappingGetsItByTheStatementOfTheMessage() {
    Dataset<Row> named = rows(1).withColumn("unit price", lit(5));
    String statement = "ALTER TABLE delta.`" + folder.resolve("t ``x``") + "`";
    assertThatThrownBy(() -> table.requireTakes(named.schema()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Cannot add column 'unit price' to '"
                + table.ref()
                + "': Delta takes such a name with column mapping only. Turn it on with "
                + statement
                + " SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name') and start again");
    assertThatThrownBy(() -> table.append(named, Append.of(new TransactionId("app", 0), null)))
        .hasMessageContaining("DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES");

    spark.sql(statement + " SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')");
    table.requireTakes(named.schema());
    table.append(named, Append.of(new TransactionId("app", 0), null));
    assertThat(table.read().select("`unit price`").head().getInt(0)).isEqualTo(5);
  }

  /** ERR-4, likewise. */
  @Test
  void aWiderTypeGetsInByTheStatementOfTheMessage() {
    Dataset<Row> first =
        rows(1).withColumn("d", lit(1).cast("decimal(10,2)")).withColumn("i", lit(1));
    table.append(first, Append.of(new TransactionId("app", 0), null));
    Dataset<Row> wider =
        rows(2).withColumn("d", lit(2).cast("decimal(14,4)")).withColumn("i", lit(2L));
    String statement =
        "ALTER TABLE "
            + table.ref().sql()
            + " SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')";
    assertThatThrownBy(() -> table.requireTakes(wider.schema()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Cannot write column 'd' of type DECIMAL(14,4) to '"
                + table.ref()
                + "', where it is DECIMAL(10,2): the column is widened only with"
                + " delta.enableTypeWidening. Turn it on with "
                + statement
                + " and start again");
    assertThatThrownBy(() -> table.append(wider, Append.of(new TransactionId("app", 1), null)))
        .hasMessageContaining("DELTA_FAILED_TO_MERGE_FIELDS");

    spark.sql(statement);
    table.requireTakes(wider.schema());
    table.append(wider, Append.of(new TransactionId("app", 1), null));
    assertThat(table.schema().apply("d").dataType().sql()).isEqualTo("DECIMAL(14,4)");
    assertThat(table.schema().apply("i").dataType()).isEqualTo(DataTypes.LongType);
  }

  @Test
  void aTypeThatIsNoWiderOneIsRefused() {
    assertThatThrownBy(() -> table.requireTakes(new StructType().add("ID", "int")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Cannot write column 'ID' of type INT to '"
                + table.ref()
                + "', where it is BIGINT. Give it that type in option 'columns' if BIGINT holds its"
                + " values, or give the stream a new target, appId and checkpoint");
    table.requireTakes(new StructType().add("ID", "bigint").add("more", "int"));
  }
}
