package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.source.row.ColumnWarnings;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Databases whose names and strings go by other collations than SQL Server's usual one. */
@Tag("spark")
final class CollationContractTest {

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();

  /** All our T-SQL in stored case, and names that differ in case only. */
  @Test
  void namesThatDifferInCaseOnlyAreKeptApart() throws Exception {
    try (TestDatabase database = TestDatabases.create("case_", "Latin1_General_BIN2")) {
      database.run(
          "CREATE TABLE dbo.T (Id int NOT NULL PRIMARY KEY, ID int NULL, Name varchar(20) NULL)",
          "CREATE TABLE dbo.t (Id int NOT NULL PRIMARY KEY, Name varchar(20) NULL)",
          "INSERT INTO dbo.T VALUES (1, 10, 'é'), (2, 20, 'B')",
          "INSERT INTO dbo.t VALUES (7, 'b')");
      track(database, "T");
      track(database, "t");

      run(database, "dbo_T", "upper", "columns", "ID INT, Name STRING");
      database.run("UPDATE dbo.T SET ID = 11 WHERE Id = 1", "INSERT INTO dbo.t VALUES (8, 'c')");
      database.awaitCapture();
      run(database, "dbo_T", "upper", "columns", "ID INT, Name STRING");
      run(database, "dbo_t", "lower");

      assertThat(rows("upper", "ID", "Name"))
          .containsExactly("0 10 é", "0 20 B", "3 10 é", "4 11 é");
      assertThat(rows("lower", "Id", "Name")).containsExactly("0 7 b", "0 8 c");
      assertThatThrownBy(() -> run(database, "DBO_T", "none"))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessage(
              "Unknown capture instance 'DBO_T': several differ from it in case only (dbo_T,"
                  + " dbo_t). Set option 'captureInstance' to the exact name");
      assertThatThrownBy(() -> run(database, "dbo_T", "none"))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageStartingWith("Unsupported columns 'Id' and 'ID': Spark takes both for one");
      assertThatThrownBy(() -> run(database, "dbo_t", "upper"))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("it holds rows of capture instance 'dbo_T'");
    }
  }

  /** Names, keys and values of other alphabets and code pages. */
  @ParameterizedTest
  @CsvSource({
    "SQL_Latin1_General_CP1_CI_AS, Situação, ação €",
    "Turkish_CI_AS, İşlem_ID, ığüşöçİ",
    "Greek_CI_AS, Πελάτες, Ελληνικά ς",
    "Latin1_General_100_CI_AS_SC_UTF8, größe, 日本 😀 ж"
  })
  void textOfTheDatabasesAlphabetArrivesWhole(String collation, String table, String text)
      throws Exception {
    try (TestDatabase database = TestDatabases.create("alphabet_", collation)) {
      database.run(
          "CREATE TABLE dbo.["
              + table
              + "] (ID varchar(40) NOT NULL PRIMARY KEY, INDICATION varchar(40) NULL,"
              + " fixed char(30) NULL)");
      track(database, table);
      database.run(
          "INSERT INTO dbo.[" + table + "] VALUES (N'" + text + "', N'" + text + "', N'i')",
          "UPDATE dbo.[" + table + "] SET INDICATION = N'x" + text + "'");
      database.awaitCapture();

      start(database, "dbo_" + table, "bronze").start().awaitTermination();

      assertThat(rows("bronze", "ID", "INDICATION"))
          .containsExactly(
              "2 " + text + " " + text, "3 " + text + " " + text, "4 " + text + " x" + text);
      assertThat(
              spark
                  .read()
                  .format("mssql_cdc_snapshot")
                  .options(options(database, "dbo_" + table))
                  .load()
                  .select("ID", "INDICATION")
                  .collectAsList())
          .containsExactly(RowFactory.create(text, "x" + text));
      assertThat(instances("bronze")).containsExactly("dbo_" + table);
      assertThat(database.query("SELECT INDICATION FROM dbo.[" + table + "]"))
          .containsExactly(List.of("x" + text));
    }
  }

  /** What the server can't capture is warned of. */
  @Test
  void aColumnInAnotherCodePageThanTheDatabasesIsWarnedOfOnce() throws Exception {
    try (TestDatabase database = TestDatabases.create("pages_", "Greek_CI_AS");
        CapturedLog log = CapturedLog.of(ColumnWarnings.class)) {
      database.run(
          "CREATE TABLE dbo.mixed (id int NOT NULL PRIMARY KEY, own varchar(9) NULL,"
              + " latin varchar(9) COLLATE Latin1_General_CI_AS NULL,"
              + " wide nvarchar(9) COLLATE Latin1_General_CI_AS NULL,"
              + " old text COLLATE Turkish_CI_AS NULL,"
              + " sorted varchar(9) COLLATE Greek_BIN2 NULL)");
      track(database, "mixed");

      run(database, "dbo_mixed", "bronze");

      assertThat(log.warnings())
          .containsExactly(
              "dbo.mixed (capture instance dbo_mixed): columns of char, varchar or text in another"
                  + " code page than the database's (latin, old): SQL Server may capture their"
                  + " non-ASCII characters wrongly; make them nvarchar, or give them a collation of"
                  + " the database's code page");
    }
  }

  private static void track(TestDatabase database, String table) {
    database.run(
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @role_name = NULL");
    database.awaitCapture();
  }

  private void run(TestDatabase database, String instance, String target, String... more)
      throws Exception {
    start(database, instance, target, more).bootstrap(true).start().awaitTermination();
  }

  private DeltaStreamRequest start(
      TestDatabase database, String instance, String target, String... more) {
    return CdcStream.of(spark, options(database, instance, more))
        .toDelta(path(target))
        .appId(target)
        .checkpoint(path(target + "_checkpoint"))
        .trigger(Trigger.AvailableNow());
  }

  private static Map<String, String> options(
      TestDatabase database, String instance, String... more) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", instance);
    options.put("pollInterval", "1ms");
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return options;
  }

  private List<String> rows(String target, String first, String second) {
    return spark
        .read()
        .format("delta")
        .load(path(target))
        .orderBy("_operation", first)
        .select("_operation", first, second)
        .collectAsList()
        .stream()
        .map(row -> row.get(0) + " " + row.get(1) + " " + row.get(2))
        .toList();
  }

  private List<String> instances(String target) {
    return spark
        .read()
        .format("delta")
        .load(path(target))
        .select("_capture_instance")
        .distinct()
        .as(Encoders.STRING())
        .collectAsList();
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }
}
