package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.metric.ReconcileResult;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that a careless query would break at, of every kind of object, all the way into Delta. */
@Tag("spark")
final class HostileNamesContractTest {
  private static final String SCHEMA = "s.1 größe]x";

  /** The key first; then what T-SQL, the driver, Spark, Parquet or JSON may trip over. */
  private static final List<String> COLUMNS =
      List.of(
          "Entry No.",
          "Unit Price",
          "a.b",
          "a]b",
          "[a",
          "größe",
          "Situação",
          "__$seqval_x",
          "$action",
          "select",
          "order",
          "x;y",
          "{z}()=",
          "b`tick`",
          "`c`.`d`",
          "it's",
          "\"q\"",
          " leading",
          "trailing ",
          "123",
          "1e5",
          "\uD83D\uDE00 emoji",
          "日本語",
          "new\nline",
          "tab\there",
          "a, b",
          "x], [y",
          "%s\\/:*?<>|",
          "--c",
          "/*c*/",
          "@p0",
          "?",
          "NULL",
          "${env:PATH}",
          "count(*)",
          "n".repeat(128));

  private static TestDatabase database;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();

  @BeforeAll
  static void open() {
    database = TestDatabases.create("d.b]x 'größe' {\"\uD83D\uDE00\"};=", null);
    database.run("CREATE SCHEMA " + quote(SCHEMA), "CREATE SCHEMA [select]");
  }

  @AfterAll
  static void close() {
    database.close();
  }

  /** The instance has the name that the server makes up. */
  @Test
  void everyKindOfNameReachesDelta() throws Exception {
    String table = "CRON UK$Item Ledger, \"Entry\"]x";
    String full = create(SCHEMA, table, null, "int NOT NULL", "nvarchar(20) NULL");
    List<String> names = names(full);
    assertThat(names.stream().map(String::stripTrailing).toList())
        .isEqualTo(COLUMNS.stream().map(String::stripTrailing).toList());
    insert(full, names, 1);
    database.awaitCapture();
    String instance = SCHEMA + "_" + table;

    assertThat(captured(snapshot(instance), names)).isEqualTo(source(full, names));
    run(instance, true);
    CdcStream stream = CdcStream.of(spark, options(instance));
    assertThat(stream.applyChanges(path("bronze"), path("silver")).run().rebuilt()).isTrue();
    insert(full, names, 2);
    database.run("UPDATE " + full + " SET [a]]b] = N'neu' WHERE [Entry No.] = 1");
    database.awaitCapture();
    run(instance, true);

    assertThat(captured(latest("`Entry No.`"), names)).isEqualTo(source(full, names));
    assertThat(stream.applyChanges(path("bronze"), path("silver")).run().rebuilt()).isFalse();
    Dataset<Row> silver = spark.sql("SELECT * FROM " + inSql("silver") + " ORDER BY `Entry No.`");
    assertThat(captured(silver, names)).isEqualTo(source(full, names));
    ReconcileResult compared = stream.reconcile(path("silver")).sample(1).run();
    assertThat(compared.isClean()).as(compared.summary()).isTrue();
    assertThat(compared.hashed()).isOne();
    assertThat(captured(changes(instance), names)).hasSize(4);
    Dataset<Row> bronze = bronze();
    assertThat(bronze.select("_capture_instance").distinct().collectAsList())
        .extracting(row -> row.getString(0))
        .containsExactly(instance);
    assertThat(properties()).containsEntry("delta.columnMapping.mode", "name");
    assertThat(properties().get("delta.dataSkippingStatsColumns"))
        .endsWith(",`Entry No.`,`_batch_id`,`_snapshot`,`_chunk`,`_history`");
    for (StructField field : bronze.schema().fields()) {
      assertThat(field.getComment().isDefined())
          .as(field.name())
          .isEqualTo(!names.contains(field.name()));
    }
  }

  /** A name of one's own, as long as it may be, and a key of text with a reserved name. */
  @Test
  void aLongInstanceNameAndReservedWordsReachDelta() throws Exception {
    String instance = "else.v1 ]'ß".repeat(9).substring(0, 98) + "\uD83D\uDE00";
    assertThat(instance).hasSize(100);
    String full = create("select", "order", instance, "nvarchar(20) NOT NULL", "int NULL");
    List<String> names = names(full);
    insert(full, names, 7);
    database.awaitCapture();

    CdcStream.of(spark, options(instance)).snapshot(path("bronze")).run();
    insert(full, names, 8);
    database.awaitCapture();
    run(instance, true);

    assertThat(captured(latest("`Entry No.`"), names)).isEqualTo(source(full, names));
  }

  private static String create(
      String schema, String table, @Nullable String instance, String keyType, String type) {
    String full = quote(schema) + "." + quote(table);
    String columns =
        COLUMNS.stream()
            .skip(1)
            .map(name -> quote(name) + " " + type)
            .collect(Collectors.joining(", "));
    database.run(
        "CREATE TABLE "
            + full
            + " ("
            + quote(COLUMNS.get(0))
            + " "
            + keyType
            + " PRIMARY KEY, "
            + columns
            + ")",
        "EXEC sys.sp_cdc_enable_table @source_schema = "
            + literal(schema)
            + ", @source_name = "
            + literal(table)
            + ", @role_name = NULL"
            + (instance == null ? "" : ", @capture_instance = " + literal(instance)));
    database.awaitCapture();
    return full;
  }

  /** As the server keeps them. */
  private static List<String> names(String full) {
    return database
        .query(
            "SELECT name FROM sys.columns WHERE object_id = OBJECT_ID("
                + literal(full)
                + ") ORDER BY column_id")
        .stream()
        .map(row -> (String) row.get(0))
        .toList();
  }

  private static void insert(String full, List<String> names, int number) {
    database.run(
        "INSERT INTO "
            + full
            + " ("
            + names.stream().map(HostileNamesContractTest::quote).collect(Collectors.joining(", "))
            + ") VALUES ("
            + IntStream.range(0, names.size())
                .mapToObj(i -> String.valueOf(number + i * 100))
                .collect(Collectors.joining(", "))
            + ")");
  }

  private static List<List<String>> source(String full, List<String> names) {
    return database
        .query(
            "SELECT "
                + names.stream()
                    .map(HostileNamesContractTest::quote)
                    .collect(Collectors.joining(", "))
                + " FROM "
                + full
                + " ORDER BY 1")
        .stream()
        .map(row -> row.stream().map(String::valueOf).toList())
        .toList();
  }

  private Dataset<Row> snapshot(String instance) {
    return spark.read().format("mssql_cdc_snapshot").options(options(instance)).load();
  }

  private Dataset<Row> changes(String instance) throws Exception {
    List<Row> rows = new ArrayList<>();
    Dataset<Row> stream = spark.readStream().format("mssql_cdc").options(options(instance)).load();
    VoidFunction2<Dataset<Row>, Long> collect = (batch, id) -> rows.addAll(batch.collectAsList());
    stream
        .writeStream()
        .trigger(Trigger.AvailableNow())
        .option("checkpointLocation", path("plain"))
        .foreachBatch(collect)
        .start()
        .awaitTermination();
    return spark.createDataFrame(rows, stream.schema());
  }

  private void run(String instance, boolean bootstrap) throws Exception {
    CdcStream.of(spark, options(instance))
        .toDelta(path("bronze"))
        .appId("names")
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .trigger(Trigger.AvailableNow())
        .bootstrap(bootstrap)
        .start()
        .awaitTermination();
  }

  private static Map<String, String> options(String instance) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", instance);
    options.put("numPartitions", "2");
    options.put("pollInterval", "1ms");
    return options;
  }

  private Dataset<Row> bronze() {
    return spark.read().format("delta").load(path("bronze"));
  }

  private Map<String, String> properties() {
    return spark.sql("SHOW TBLPROPERTIES " + inSql("bronze")).collectAsList().stream()
        .collect(Collectors.toMap(row -> row.getString(0), row -> row.getString(1)));
  }

  private Dataset<Row> latest(String key) {
    return spark.sql(
        "SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY "
            + key
            + " ORDER BY _history DESC, _start_lsn DESC, _command_id DESC, _seqval DESC,"
            + " _operation DESC) AS nth FROM "
            + inSql("bronze")
            + ") WHERE nth = 1 AND _operation <> 1 ORDER BY "
            + key);
  }

  private static List<List<String>> captured(Dataset<Row> rows, List<String> names) {
    return rows.collectAsList().stream()
        .map(row -> names.stream().map(name -> String.valueOf(row.<Object>getAs(name))).toList())
        .toList();
  }

  private String inSql(String name) {
    return "delta.`" + path(name).replace("`", "``") + "`";
  }

  private String path(String name) {
    return folder.resolve("läke `1` \uD83D\uDE00").resolve(name).toString();
  }

  private static String quote(String name) {
    return "[" + name.replace("]", "]]") + "]";
  }

  private static String literal(String text) {
    return "N'" + text.replace("'", "''") + "'";
  }
}
