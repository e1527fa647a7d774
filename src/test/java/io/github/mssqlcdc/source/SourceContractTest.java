package io.github.mssqlcdc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.options.UnknownOptions;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both formats against a server, by T-SQL and Spark only. */
@Tag("spark")
class SourceContractTest {
  private static TestDatabase database;

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void readsInsertsUpdatesAndDeletesInTheOrderOfTheirStatements(@TempDir Path folder)
      throws Exception {
    create("changes", "id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL, price decimal(10,2)");
    database.run(
        "BEGIN TRAN;"
            + " INSERT INTO dbo.changes VALUES (1, N'é', 1.50), (2, NULL, 2);"
            + " UPDATE dbo.changes SET price = 9 WHERE id = 1;"
            + " DELETE FROM dbo.changes WHERE id = 2;"
            + " COMMIT",
        "UPDATE dbo.changes SET id = 7 WHERE id = 1");
    database.awaitCapture();

    List<Row> rows = run(folder, options("dbo_changes"));

    assertThat(rows)
        .extracting(row -> row.getAs("_operation") + " " + row.getAs("id"))
        .containsExactly("2 1", "2 2", "3 1", "4 1", "1 2", "1 1", "2 7");
    assertThat(rows.get(0).<String>getAs("name")).isEqualTo("é");
    assertThat(rows.get(2).<Object>getAs("price")).hasToString("1.50");
    assertThat(rows.get(3).<Object>getAs("price")).hasToString("9.00");
    assertThat(rows).extracting(row -> row.<String>getAs("_start_lsn")).isSorted();
  }

  @Test
  void readsOnlyWhatIsNewInALaterRun(@TempDir Path folder) throws Exception {
    create("later", "id bigint NOT NULL PRIMARY KEY");
    database.run("INSERT INTO dbo.later VALUES (1), (2)");
    database.awaitCapture();
    assertThat(run(folder, options("DBO_LATER"))).hasSize(2);

    assertThat(run(folder, options("DBO_LATER"))).isEmpty();
    database.run("INSERT INTO dbo.later VALUES (3)");
    database.awaitCapture();

    assertThat(run(folder, options("DBO_LATER")))
        .extracting(row -> row.<Long>getAs("id"))
        .containsExactly(3L);
  }

  @Test
  void givesSnapshotAndChangesTheSameValues(@TempDir Path folder) throws Exception {
    create(
        "kinds",
        "id int NOT NULL PRIMARY KEY, b bit, t tinyint, s smallint, l bigint, r real, f float,"
            + " d9 decimal(9,2), d18 numeric(18,4), d38 decimal(38,10), m money, da date,"
            + " dt datetime, d2 datetime2(7), sd smalldatetime, dto datetimeoffset(7), ti time(7),"
            + " c char(4), vc varchar(20), nv nvarchar(max), bi binary(3), vb varbinary(max),"
            + " g uniqueidentifier");
    database.run(
        "INSERT INTO dbo.kinds VALUES (1, 1, 200, -5, 1099511627776, 1.5, 2.5, -1234567.89,"
            + " 12345678901234.5678, 1234567890123456789012345678.0123456789, -1.2345,"
            + " '2026-02-28', '2026-02-28T01:02:03.997', '2026-02-28T01:02:03.1234567',"
            + " '2026-02-28T01:02:00', '2026-02-28T01:02:03.1234567-03:00', '13:50:01.1234567',"
            + " 'ab', 'cd', N'Ünïcödé', 0x010203, 0x04,"
            + " '6F9619FF-8B86-D011-B42D-00C04FC964FF')",
        "INSERT INTO dbo.kinds (id) VALUES (2)");
    database.awaitCapture();

    List<Row> changes = run(folder, options("dbo_kinds"));
    List<Row> snapshot = snapshot("dbo_kinds").orderBy("id").collectAsList();

    assertThat(changes).hasSize(2);
    assertThat(captured(changes.get(0))).isEqualTo(captured(snapshot.get(0)));
    assertThat(captured(changes.get(1))).isEqualTo(captured(snapshot.get(1)));
    assertThat(captured(snapshot.get(0)))
        .contains("t=200", "ti=13:50:01.123456700", "g=6F9619FF-8B86-D011-B42D-00C04FC964FF")
        .contains("d2=2026-02-28T01:02:03.123456", "dt=2026-02-28T01:02:03.997")
        .contains("c=ab  ", "nv=Ünïcödé", "d38=1234567890123456789012345678.0123456789");
  }

  @Test
  void stampsASnapshotWithMaxLsn() {
    create("stamped", "id int NOT NULL PRIMARY KEY, name varchar(10)");
    database.run("INSERT INTO dbo.stamped SELECT 1, 'a' UNION ALL SELECT 2, 'b'");
    database.awaitCapture();

    List<Row> rows = snapshot("dbo_stamped").orderBy("id").collectAsList();

    assertThat(rows).hasSize(2);
    assertThat(rows).extracting(row -> row.<Object>getAs("_operation")).containsOnly(0);
    assertThat(rows)
        .extracting(row -> row.<String>getAs("_start_lsn"))
        .allMatch(lsn -> lsn.matches("0x[0-9A-F]{20}"))
        .containsOnly(rows.get(0).<String>getAs("_start_lsn"));
    assertThat(rows.get(0).isNullAt(rows.get(0).fieldIndex("_seqval"))).isTrue();
  }

  @Test
  void readsATableWithoutAnIntegerKeyInRangesOfEqualRows() {
    create("texts", "code nvarchar(10) NOT NULL PRIMARY KEY");
    database.run("INSERT INTO dbo.texts VALUES (N'é'), (N'e'), (N'F'), (N'a'), (N'z')");
    database.awaitCapture();
    Map<String, String> options = options("dbo_texts");
    options.put("numPartitions", "4");

    Dataset<Row> snapshot =
        TestSession.get().read().format("mssql_cdc_snapshot").options(options).load();

    assertThat(
            snapshot
                .javaRDD()
                .glom()
                .map(
                    rows ->
                        rows.stream()
                            .map(r -> r.<String>getAs("code"))
                            .sorted(Comparator.reverseOrder())
                            .toList())
                .collect())
        .extracting(Object::toString)
        .containsExactlyInAnyOrder("[e, a]", "[é]", "[F]", "[z]");
  }

  @Test
  void readsASmallTableByOneConnectionUnlessTold() {
    create("small", "code nvarchar(10) NOT NULL PRIMARY KEY");
    database.run("INSERT INTO dbo.small VALUES (N'a'), (N'b')");
    database.awaitCapture();
    Map<String, String> options = options("dbo_small");
    options.remove("numPartitions");

    assertThat(
            TestSession.get()
                .read()
                .format("mssql_cdc_snapshot")
                .options(options)
                .load()
                .javaRDD()
                .getNumPartitions())
        .isEqualTo(1);
  }

  @Test
  void readsChunksOfATextKeyInTheServersOrder() {
    create("chunked", "region int NOT NULL, code varchar(10) NOT NULL, PRIMARY KEY (region, code)");
    database.run("INSERT INTO dbo.chunked VALUES (1, 'a'), (1, 'B'), (1, 'c'), (2, 'a'), (2, 'b')");
    database.awaitCapture();
    Map<String, String> options = options("dbo_chunked");
    options.put("snapshotChunks", "[[0, null, [1, \"b\"]], [1, [1, \"b\"], [2, \"b\"]]]");

    assertThat(
            TestSession.get()
                .read()
                .format("mssql_cdc_snapshot")
                .options(options)
                .load()
                .select("_chunk", "region", "code")
                .collectAsList())
        .extracting(Row::toString)
        .containsExactlyInAnyOrder("[0,1,a]", "[1,1,B]", "[1,1,c]", "[1,2,a]");
  }

  @Test
  void isUsedFromSql() {
    create("viewed", "id int NOT NULL PRIMARY KEY");
    database.run("INSERT INTO dbo.viewed VALUES (1), (2), (3)");
    database.awaitCapture();
    TestSession.get()
        .sql(
            "CREATE OR REPLACE TEMPORARY VIEW viewed USING mssql_cdc_snapshot OPTIONS (url '"
                + database.url()
                + "', user '"
                + database.user()
                + "', password '"
                + database.password()
                + "', captureInstance 'dbo_viewed')");

    assertThat(TestSession.get().sql("SELECT max(id) FROM viewed").first().getInt(0)).isEqualTo(3);
  }

  @Test
  void warnsOnceOfAMisspeltOption(@TempDir Path folder) throws Exception {
    create("misspelt", "id int NOT NULL PRIMARY KEY");
    database.run("INSERT INTO dbo.misspelt VALUES (1)");
    database.awaitCapture();
    Map<String, String> options = options("dbo_misspelt");
    options.put("FETCHSIZE", "10");
    options.put("maxRowPerBatch", "10");
    String warning = "Unknown option 'maxRowPerBatch' is ignored; did you mean 'maxRowsPerBatch'?";

    try (CapturedLog log = CapturedLog.of(UnknownOptions.class)) {
      assertThat(run(folder, options)).hasSize(1);
      assertThat(log.warnings()).containsExactly(warning);
    }
    try (CapturedLog log = CapturedLog.of(UnknownOptions.class)) {
      Dataset<Row> snapshot =
          TestSession.get().read().format("mssql_cdc_snapshot").options(options).load();
      assertThat(snapshot.collectAsList()).hasSize(1);
      assertThat(snapshot.collectAsList()).hasSize(1);
      assertThat(log.warnings()).containsExactly(warning);
    }
  }

  @Test
  void tellsAnUnknownInstance() {
    assertThatThrownBy(() -> snapshot("dbo_nothing"))
        .isInstanceOfSatisfying(
            CdcError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_CAPTURE_INSTANCE))
        .hasMessageContaining("dbo_nothing");
  }

  private static void create(String table, String columns) {
    database.run(
        "CREATE TABLE dbo." + table + " (" + columns + ")",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @role_name = NULL");
    database.awaitCapture();
  }

  private static Map<String, String> options(String captureInstance) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", captureInstance);
    options.put("numPartitions", "2");
    return options;
  }

  private static Dataset<Row> snapshot(String captureInstance) {
    return TestSession.get()
        .read()
        .format("mssql_cdc_snapshot")
        .options(options(captureInstance))
        .load();
  }

  /** The rows of one run, in the order in which they came. */
  private static List<Row> run(Path folder, Map<String, String> options) throws Exception {
    List<Row> rows = new ArrayList<>();
    VoidFunction2<Dataset<Row>, Long> collect = (batch, id) -> rows.addAll(batch.collectAsList());
    StreamingQuery query =
        TestSession.get()
            .readStream()
            .format("mssql_cdc")
            .options(options)
            .load()
            .writeStream()
            .trigger(Trigger.AvailableNow())
            .option("checkpointLocation", folder.resolve("checkpoint").toUri().toString())
            .foreachBatch(collect)
            .start();
    query.awaitTermination();
    return rows;
  }

  private static List<String> captured(Row row) {
    List<String> values = new ArrayList<>();
    for (String name : row.schema().fieldNames()) {
      if (!name.startsWith("_")) {
        Object value = row.getAs(name);
        values.add(
            name
                + "="
                + (value instanceof byte[] bytes
                    ? java.util.HexFormat.of().formatHex(bytes)
                    : value));
      }
    }
    return values;
  }
}
