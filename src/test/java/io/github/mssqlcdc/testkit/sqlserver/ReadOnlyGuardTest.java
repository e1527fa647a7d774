package io.github.mssqlcdc.testkit.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadOnlyGuardTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO dbo.t VALUES (1)",
        "SELECT 1; UPDATE dbo.t SET a = 1",
        "DELETE FROM dbo.t",
        "TRUNCATE TABLE dbo.t",
        "CREATE TABLE dbo.t (a int)",
        "CREATE TABLE #t (a int)",
        "SELECT * INTO #t FROM dbo.t",
        "DECLARE @t TABLE (a int)",
        "GRANT SELECT ON dbo.t TO someone",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N't',"
            + " @role_name = NULL",
        "EXEC sys.sp_cdc_scan",
        "EXEC (N'SELECT 1')",
        "EXEC sp_executesql N'SELECT 1'",
        "BEGIN TRAN",
        "IF 1 = 1 SELECT 1",
        "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
        "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
        "SELECT a FROM dbo.t WITH (NOLOCK)",
        "SELECT a FROM dbo.t WITH (UPDLOCK, HOLDLOCK)",
        "SELECT (SELECT MAX(a) FROM dbo.t WITH (NOLOCK)) AS m",
        "DECLARE @x int = (SELECT MAX(a) FROM dbo.t WITH (TABLOCKX))",
        "SELECT 1 WHERE EXISTS (SELECT 1 FROM dbo.t AS a JOIN dbo.u WITH (NOLOCK) ON 1 = 1)",
        "SELECT * FROM msdb.dbo.cdc_jobs",
        "SELECT * FROM cdc.change_tables",
      })
  void whatIsNotForAReaderIsObjectedTo(String sql) {
    assertThat(ReadOnlyGuard.objection(sql)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SELECT sys.fn_cdc_get_max_lsn() AS x;",
        "SET LOCK_TIMEOUT 500; SET TRANSACTION ISOLATION LEVEL SNAPSHOT; SELECT a FROM dbo.t AS t",
        "DECLARE @a int = 1; SET @a = CASE WHEN @a > 1 THEN 2 ELSE 3 END; SELECT @a AS a",
        "EXEC sys.sp_cdc_help_change_data_capture; SELECT object_id FROM sys.tables",
        "SELECT a FROM cdc.[odd ]]name_CT] AS ct LEFT JOIN cdc.lsn_time_mapping AS m ON 1 = 1",
      })
  void readsPass(String sql) {
    assertThat(ReadOnlyGuard.objection(sql)).isEmpty();
  }

  @Test
  void aTestThatLetsTheLibraryWriteFailsWhenItsDatabaseIsClosed() throws SQLException {
    StandInDatabase database = StandInDatabase.start();
    database.run("CREATE TABLE dbo.t (a int)", "INSERT INTO dbo.t VALUES (1)");
    String url = database.url() + ";applicationName=mssql-cdc-spark";
    try (Connection connection =
            DriverManager.getConnection(url, database.user(), database.password());
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM dbo.t");
    }

    assertThatThrownBy(database::close)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("a reader sends no Delete in: DELETE FROM dbo.t");
    assertThatCode(database.standIn()::requireReadOnly).doesNotThrowAnyException();
  }
}
