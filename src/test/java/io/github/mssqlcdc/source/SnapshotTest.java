package io.github.mssqlcdc.source;

import static io.github.mssqlcdc.testkit.source.FakeSqlServer.lsn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.sqlserver.TableSize;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.type.SqlType;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class SnapshotTest {
  private final String name = "fake_" + UUID.randomUUID();
  private final FakeSqlServer server = new FakeSqlServer();
  private final Map<String, String> options = new HashMap<>();

  @BeforeEach
  void register() {
    JvmRegistry.shared(FakeSqlServer.class, name, () -> server);
    options.put("url", "jdbc:sqlserver://fake;databaseName=fake");
    options.put("password", "s3cret");
    options.put("captureInstance", name);
    options.put("numPartitions", "4");
    server.insert(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  @AfterEach
  void forget() {
    JvmRegistry.remove(FakeSqlServer.class, name);
  }

  @Test
  void stampsEveryRowWithTheLsnRecordedBeforeTheRead() {
    List<Row> rows = load().orderBy("id").collectAsList();

    assertThat(rows).hasSize(10);
    assertThat(rows.get(3).toSeq().mkString("|"))
        .isEqualTo(
            "dbo_orders|"
                + lsn(10)
                + "|null|0|null|"
                + FakeSqlServer.EPOCH.plusMinutes(1).plusHours(3)
                + "|3|row 3");
    assertThat(server.calls().indexOf("snapshotStamp"))
        .isLessThan(server.calls().indexOf("readTable"));
  }

  @Test
  void readsAnIntegerKeyInSlices() {
    assertThat(load().javaRDD().glom().map(List::size).collect()).containsExactly(2, 3, 2, 3);
  }

  @Test
  void takesAStampOfItsOwnForEachRead() {
    Dataset<Row> snapshot = load();
    snapshot.collectAsList();
    server.insert(10);

    assertThat(snapshot.select("_start_lsn").distinct().collectAsList())
        .extracting(row -> row.getString(0))
        .containsExactly(lsn(11).toString());
  }

  @Test
  void takesTheStampFromTheOptions() {
    Offset stamp = new Offset(lsn(7), FakeSqlServer.EPOCH, null);
    options.put("_snapshotOffset", stamp.json());

    Row row = load().first();

    assertThat(row.getString(1)).isEqualTo(lsn(7).toString());
    assertThat(row.<Object>getAs("_commit_ts")).isEqualTo(FakeSqlServer.EPOCH);
    assertThat(server.calls()).doesNotContain("snapshotStamp");
  }

  @Test
  void readsAsManySlicesAsTheDefaultParallelismUnlessTold() {
    options.remove("numPartitions");

    assertThat(load().javaRDD().getNumPartitions())
        .isEqualTo(TestSession.get().sparkContext().defaultParallelism())
        .isGreaterThan(1);
  }

  @Test
  void aSmallTableIsReadByOneConnectionUnlessToldOtherwise() {
    options.remove("numPartitions");
    server.setSize(new TableSize(99_999, 1));
    assertThat(load().javaRDD().getNumPartitions()).isEqualTo(1);

    server.setSize(new TableSize(100_000, 1));
    assertThat(load().javaRDD().getNumPartitions()).isEqualTo(2);

    server.setSize(new TableSize(3, 1));
    options.put("numPartitions", "4");
    assertThat(load().javaRDD().getNumPartitions()).isEqualTo(4);
  }

  @Test
  void otherKeysAreSoughtOnTheServerByItsCountOfRows() {
    server.setKeyColumns("id", "name");
    server.setSize(new TableSize(10, 1));
    options.put("numPartitions", "3");

    assertThat(load().javaRDD().glom().map(List::size).collect()).containsExactly(4, 3, 3);
    assertThat(server.calls().stream().filter("seekKey"::equals)).hasSize(2);
  }

  @Test
  void aTableWithoutAKeyIsReadWholeUnlessColumnsAreNamed() {
    server.setKeyColumns();
    try (CapturedLog log = CapturedLog.of("io.github.mssqlcdc.source.snapshot.TableSplit")) {
      assertThat(load().javaRDD().getNumPartitions()).isEqualTo(1);
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .startsWith("dbo.orders (capture instance dbo_orders) is read by one connection, because")
          .contains("no unique index", "'snapshotKeys'");
    }

    options.put("snapshotKeys", "[\"ID\"]");
    assertThat(load().javaRDD().glom().map(List::size).collect()).containsExactly(2, 3, 2, 3);
    options.put("snapshotKeys", "[\"nme\"]");
    assertThatThrownBy(() -> load().collectAsList())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("Unknown columns [nme] in option 'snapshotKeys'");
  }

  @Test
  void aTableWhoseSizeTheServerDoesNotTellIsCutByIntegersOnly() {
    server.setSize(null);
    assertThat(load().javaRDD().getNumPartitions()).isEqualTo(4);

    server.setKeyColumns("name");
    assertThat(load().javaRDD().getNumPartitions()).isEqualTo(1);
    assertThat(load().queryExecution().optimizedPlan().stats().rowCount().isEmpty()).isTrue();
  }

  @Test
  void asksForTheColumnsNeededAndNoOthers() {
    assertThat(load().count()).isEqualTo(10);
    assertThat(server.selected()).hasSize(4).containsOnly(List.of());

    server.selected().clear();
    load().select("_operation", "id").collectAsList();
    assertThat(server.selected()).hasSize(4).containsOnly(List.of("id"));
  }

  @Test
  void theSizeIsAskedForOnceAScanAndOnlyWhenNeeded() {
    options.put("numPartitions", "1");
    Dataset<Row> snapshot = load();
    snapshot.collectAsList();
    assertThat(server.calls()).doesNotContain("tableSize");

    assertThat(snapshot.queryExecution().optimizedPlan().stats().rowCount().get().longValue())
        .isEqualTo(10_000_000);
    assertThat(snapshot.queryExecution().optimizedPlan().stats().sizeInBytes().longValue())
        .isPositive();
    assertThat(server.calls().stream().filter("tableSize"::equals)).hasSize(1);
  }

  @Test
  void aLimitIsReadByOneConnection() {
    assertThat(load().limit(3).collectAsList()).hasSize(3);
    assertThat(server.parts()).containsExactly(new TablePart(null, List.of(), 3));
  }

  @Test
  void readsTheChunksAskedForEachAsOnePartition() {
    options.put("snapshotChunks", "[[7, null, 3], [9, 5, 8], [8, 8, null]]");

    Dataset<Row> snapshot = load();

    assertThat(snapshot.schema().fieldNames())
        .containsExactly(
            "_capture_instance",
            "_start_lsn",
            "_seqval",
            "_operation",
            "_command_id",
            "_commit_ts",
            "id",
            "name",
            "_chunk");
    assertThat(snapshot.schema().apply("_chunk").dataType()).isEqualTo(DataTypes.IntegerType);
    assertThat(snapshot.javaRDD().glom().map(List::size).collect()).containsExactly(3, 3, 2);
    assertThat(snapshot.orderBy("id").collectAsList())
        .extracting(row -> row.getAs("id") + " " + row.getAs("_chunk"))
        .containsExactly("0 7", "1 7", "2 7", "5 9", "6 9", "7 9", "8 8", "9 8");
  }

  @Test
  void readsNothingWhereTheListOfChunksIsEmpty() {
    options.put("snapshotChunks", "[]");

    assertThat(load().schema().fieldNames()).endsWith("_chunk");
    assertThat(load().collectAsList()).isEmpty();
    assertThat(server.calls()).doesNotContain("readTable");
  }

  @Test
  void appliesBoundsToTheColumnsNamed() {
    options.put("snapshotChunks", "[[0, [null, \"a\"], [2, null]]]");
    options.put("snapshotKeys", "[\"ID\", \"name\"]");
    load().collectAsList();

    assertThat(server.ranges())
        .containsExactly(
            new KeyRange(
                List.of(
                    new KeyColumn("id", new SqlType("int", 0, 0, 0), null),
                    new KeyColumn("name", new SqlType("nvarchar", 50, 0, 0), null)),
                new KeyBound(Arrays.asList(null, "a")),
                new KeyBound(Arrays.asList("2", null))));
  }

  @Test
  void refusesAKeyOrBoundThatTheTableCannotHave() {
    options.put("snapshotChunks", "[[0, null, \"x\"]]");
    assertThatThrownBy(() -> load().collectAsList())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Invalid bound of chunk 0 in option 'snapshotChunks': \"x\" is no value of column 'id':"
                + " expected an integer of type int");

    options.put("snapshotChunks", "[[0, null, 5], [3, 1e999999999, null]]");
    assertThatThrownBy(() -> load().collectAsList())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Invalid bound of chunk 3 in option 'snapshotChunks': 1E+999999999 is no value of"
                + " column 'id': expected an integer of type int");

    options.put("snapshotKeys", "[\"id\", \"ID\"]");
    assertThatThrownBy(() -> load().collectAsList())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage("Invalid option 'snapshotKeys': it names column 'id' twice, name each once");

    options.put("snapshotKeys", "[\"id\", \"nme\", \"x\"]");
    assertThatThrownBy(() -> load().collectAsList())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Unknown columns [nme, x] in option 'snapshotKeys': captured and on the table are id, name");

    options.remove("snapshotKeys");
    server.setKeyColumns();
    assertThatThrownBy(() -> load().collectAsList())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("Missing option 'snapshotKeys': dbo.orders (capture instance")
        .hasMessageContaining("has no unique index");
  }

  @Test
  void stampsRowsWithTheLsnAskedForAndItsTime() {
    server.insert(10);
    options.put("snapshotLsn", lsn(10).toString());

    Row row = load().first();

    assertThat(row.<String>getAs("_start_lsn")).isEqualTo(lsn(10).toString());
    assertThat(row.<Object>getAs("_commit_ts"))
        .isEqualTo(FakeSqlServer.EPOCH.plusMinutes(1).plusHours(3));
    options.put("snapshotLsn", lsn(3).toString());
    assertThat(load().first().<Object>getAs("_commit_ts")).isNull();
  }

  @Test
  void refusesAStampThatTheServerHasNotReached() {
    options.put("snapshotLsn", lsn(11).toString());

    assertThatThrownBy(() -> load().collectAsList())
        .isInstanceOf(SourceBehindException.class)
        .hasMessageContaining("with option 'snapshotLsn' " + lsn(11))
        .hasMessageContaining("max LSN is " + lsn(10));
  }

  @Test
  void isATemporaryViewOfSqlAndShowsNoSecret() {
    TestSession.get()
        .sql(
            "CREATE OR REPLACE TEMPORARY VIEW orders USING "
                + FakeSnapshotProvider.class.getName()
                + " OPTIONS (url '"
                + options.get("url")
                + "', password 's3cret', captureInstance '"
                + name
                + "')");

    assertThat(TestSession.get().sql("SELECT count(*), sum(id) FROM orders").first())
        .extracting(Row::mkString)
        .isEqualTo("1045");
    assertThat(explained(TestSession.get().table("orders")))
        .contains("mssql_cdc_snapshot dbo.orders (capture instance dbo_orders)")
        .doesNotContain("s3cret");
  }

  private Dataset<Row> load() {
    return TestSession.get()
        .read()
        .format(FakeSnapshotProvider.class.getName())
        .options(options)
        .load();
  }

  private static String explained(Dataset<Row> dataset) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    scala.Console.withOut(
        new PrintStream(text, true, StandardCharsets.UTF_8),
        () -> {
          dataset.explain("formatted");
          return null;
        });
    return text.toString(StandardCharsets.UTF_8);
  }
}
