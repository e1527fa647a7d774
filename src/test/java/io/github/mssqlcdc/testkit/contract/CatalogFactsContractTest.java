package io.github.mssqlcdc.testkit.contract;

import static io.github.mssqlcdc.testkit.contract.Fact.Known.DOCUMENTED;
import static io.github.mssqlcdc.testkit.contract.Fact.Known.INFERRED;
import static io.github.mssqlcdc.testkit.contract.Fact.Known.MEASURED;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What CDC's procedures tell of instances, and what errors do to a transaction. */
final class CatalogFactsContractTest extends FactSuite {
  private static final String KEY = "id int NOT NULL PRIMARY KEY";

  @Fact(
      id = "CAT-1",
      value = "the primary key is recorded as an instance's index even where net changes are off",
      known = INFERRED)
  void index() {
    database.run("CREATE TABLE dbo.i1 (id int NOT NULL CONSTRAINT pk_i1 PRIMARY KEY)");
    enable("i1", "dbo_i1", ", @supports_net_changes = 0");

    assertThat(value("SELECT index_name FROM cdc.change_tables WHERE capture_instance = N'dbo_i1'"))
        .isEqualTo("pk_i1");
  }

  @Fact(
      id = "CAT-2",
      value = "help_change_data_capture lists columns as [a], [b]",
      known = MEASURED)
  void lists() {
    track("i2", "a int NOT NULL, b int NOT NULL, c int NULL, PRIMARY KEY (a, b)");

    assertThat(
            rows(
                "EXEC sys.sp_cdc_help_change_data_capture @source_schema = N'dbo', @source_name ="
                    + " N'i2'"))
        .singleElement()
        .asString()
        .endsWith("|[a], [b]|[a], [b], [c]");
  }

  @Fact(
      id = "CAT-3",
      value = "get_captured_columns calls its sixth column column_ordinal",
      known = INFERRED)
  void columnOrdinal() throws SQLException {
    track("i3", KEY);

    assertThat(columns("EXEC sys.sp_cdc_get_captured_columns N'dbo_i3'"))
        .startsWith(
            "source_schema",
            "source_table",
            "capture_instance",
            "column_name",
            "column_id",
            "column_ordinal",
            "data_type");
  }

  @Fact(
      id = "CAT-4",
      value = "get_captured_columns calls rowversion timestamp and an alias type by its own name",
      known = INFERRED)
  void typeNames() {
    database.run("CREATE TYPE dbo.code FROM nvarchar(20)");
    track("i4", KEY + ", v rowversion, c dbo.code NULL");

    assertThat(database.query("EXEC sys.sp_cdc_get_captured_columns N'dbo_i4'"))
        .extracting(row -> row.get(6))
        .containsExactly("int", "timestamp", "code");
  }

  @Fact(id = "CAT-5", value = "help_jobs has no job_name", known = INFERRED)
  void jobColumns() throws SQLException {
    track("i5", KEY);

    assertThat(columns("EXEC sys.sp_cdc_help_jobs"))
        .containsExactly(
            "job_id",
            "job_type",
            "maxtrans",
            "maxscans",
            "continuous",
            "pollinginterval",
            "retention",
            "threshold");
  }

  @Fact(
      id = "CAT-6",
      value = "captured columns are nullable, and __$command_id is the change table's last",
      known = MEASURED)
  void changeTable() {
    track("i6", KEY + ", n int NOT NULL");

    assertThat(
            rows(
                "SELECT name, is_nullable FROM sys.columns WHERE object_id ="
                    + " OBJECT_ID(N'cdc.dbo_i6_CT') ORDER BY column_id"))
        .containsExactly(
            "__$start_lsn|false",
            "__$end_lsn|true",
            "__$seqval|false",
            "__$operation|false",
            "__$update_mask|true",
            "id|true",
            "n|true",
            "__$command_id|true");
  }

  @Fact(id = "CAT-7", value = "disabling takes the change table at once", known = MEASURED)
  void disable() {
    track("i7", KEY);
    database.run(
        "EXEC sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'i7',"
            + " @capture_instance = N'dbo_i7'");

    assertThat(value("SELECT OBJECT_ID(N'cdc.dbo_i7_CT')")).isEqualTo("null");
  }

  @Fact(id = "CAT-8", value = "dropping a table takes its instances", known = DOCUMENTED)
  void drop() {
    track("i8", KEY);
    database.run("DROP TABLE dbo.i8");

    assertThat(rows("SELECT 1 FROM cdc.change_tables WHERE capture_instance = N'dbo_i8'"))
        .isEmpty();
  }

  @Fact(
      id = "ERR-1",
      value = "conversion errors (241, 245, 8114, 8169) end the transaction",
      known = INFERRED)
  void conversionErrors() throws SQLException {
    database.run("CREATE TABLE dbo.e1 (" + KEY + ")");

    assertThat(
            List.of(
                afterError("SELECT CONVERT(date, N'x')"),
                afterError("SELECT CONVERT(int, N'x')"),
                afterError("SELECT CONVERT(decimal(5, 2), N'x')"),
                afterError("SELECT CONVERT(uniqueidentifier, N'x')")))
        .containsExactly("241, 0 open", "245, 0 open", "8114, 0 open", "8169, 0 open");
  }

  @Fact(
      id = "ERR-2",
      value = "a duplicate key (2627) ends its statement, not the transaction",
      known = INFERRED)
  void duplicateKey() throws SQLException {
    database.run("CREATE TABLE dbo.e2 (" + KEY + ")");

    assertThat(afterError("INSERT INTO dbo.e2 VALUES (1); INSERT INTO dbo.e2 VALUES (1)"))
        .isEqualTo("2627, 1 open");
  }

  @Fact(id = "ERR-3", value = "a datetimeoffset beyond 14 hours is 241", known = INFERRED)
  void offsetOutOfRange() throws SQLException {
    assertThat(afterError("SELECT CONVERT(datetimeoffset, N'2020-01-01T00:00:00+15:00')"))
        .startsWith("241,");
  }

  @Fact(
      id = "ERR-4",
      value = "a large value above max text repl size fails the statement with 7139",
      known = DOCUMENTED)
  void tooLarge() throws SQLException {
    track("e4", KEY + ", t varchar(max) NULL");

    assertThat(
            afterError(
                "INSERT INTO dbo.e4 VALUES (1, REPLICATE(CONVERT(varchar(max), 'x'), 65537))"))
        .startsWith("7139,");
  }

  /** The error's number, and the transactions open after it of one opened before it. */
  private String afterError(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN TRANSACTION");
      int number = errorOf(statement, sql);
      try (ResultSet open = statement.executeQuery("SELECT @@TRANCOUNT")) {
        open.next();
        return number + ", " + open.getInt(1) + " open";
      }
    }
  }

  private static int errorOf(Statement statement, String sql) {
    try {
      DatabaseClient.drain(statement, sql);
      throw new AssertionError("No error of " + sql);
    } catch (SQLException e) {
      return e.getErrorCode();
    }
  }

  private List<String> columns(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<String> names = new ArrayList<>();
      for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
        names.add(result.getMetaData().getColumnName(i));
      }
      return names;
    }
  }
}
