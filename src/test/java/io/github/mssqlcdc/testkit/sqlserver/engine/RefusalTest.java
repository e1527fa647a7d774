package io.github.mssqlcdc.testkit.sqlserver.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the stand-in does not know fails, and never reaches H2's own dialect. */
class RefusalTest {
  private final EngineFixture server = new EngineFixture();
  private BackendSession session;

  @BeforeEach
  void fill() {
    session = server.session();
    EngineFixture.run(session, "CREATE TABLE dbo.t (id int NOT NULL PRIMARY KEY, b varchar(5))");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT * FROM nope                        | 208
          SELECT * FROM other.dbo.t                 | 208
          SELECT * FROM information_schema.settings | 208
          SELECT nope FROM t                        | 207
          SELECT x.id FROM t                        | 4104
          SELECT id FROM t AS a, t AS b             | 209
          SELECT id FROM t, t                       | 1013
          SELECT h2version()                        | 195
          SELECT rownum()                           | 195
          SELECT dbo.f(1)                           | 4121
          SELECT sys.fn_nope()                      | 4121
          SELECT LEN('a', 'b')                      | 174
          SELECT @nope                              | 137
          SELECT @@NOPE                             | 102
          SELECT id, COUNT(*) FROM t                | 8120
          SELECT b FROM t GROUP BY id               | 8120
          SELECT SUM(b) FROM t                      | 8117
          SELECT id FROM t ORDER BY 3               | 108
          SELECT (SELECT id, b FROM t)              | 116
          SELECT * FROM (SELECT 1) AS x             | 8155
          SELECT * FROM (SELECT id FROM t ORDER BY id) AS x | 1033
          SELECT 1 UNION ALL SELECT 1, 2            | 205
          SELECT CAST('x' AS int)                   | 245
          SELECT CAST('x' AS date)                  | 241
          SELECT CAST(300 AS tinyint)               | 8115
          SELECT 2147483647 + 1                     | 8115
          SELECT 1 / 0                              | 8134
          SELECT GETDATE() + 1.5                    | 402
          EXEC nope                                 | 2812
          INSERT t VALUES (1)                       | 109
          INSERT t (id) VALUES (1, 2)               | 110
          INSERT t (nope) VALUES (1)                | 207
          UPDATE t SET nope = 1                     | 207
          CREATE TABLE dbo.t (a int)                | 2714
          CREATE TABLE nope.t (a int)               | 2760
          CREATE TABLE #t (a int)                   | 102
          DROP TABLE nope                           | 3701
          ALTER TABLE t DROP COLUMN id              | 4922
          USE nope                                  | 911
          COMMIT                                    | 3902
          ROLLBACK                                  | 3903
          GRANT SELECT ON t TO nope                 | 15151
          """)
  void hasTheErrorOfSqlServer(String sql, int number) {
    SqlServerError error = EngineFixture.attempt(session, sql).errors.get(0);

    assertThat(error.number()).as(error.getMessage()).isEqualTo(number);
  }

  @Test
  void nothingOfABatchRunsIfItDoesNotParse() {
    assertThat(EngineFixture.error(session, "INSERT t VALUES (1, 'a'); SELECT FROM"))
        .isEqualTo(156);
    assertThat(EngineFixture.value(session, "SELECT COUNT(*) FROM t")).isEqualTo(0);
  }

  @Test
  void aConstraintEndsItsStatementOnly() {
    RecordingSink sink =
        EngineFixture.attempt(
            session, "INSERT t VALUES (1, 'a'); INSERT t VALUES (1, 'b'); SELECT COUNT(*) FROM t");

    assertThat(sink.errors.get(0))
        .hasMessageStartingWith("Violation of PRIMARY KEY constraint 'PK__t__");
    assertThat(sink.results.get(0).rows().get(0).get(0)).isEqualTo(1);
  }

  @Test
  void anUnknownObjectEndsTheBatch() {
    RecordingSink sink = EngineFixture.attempt(session, "SELECT * FROM nope; SELECT 1");

    assertThat(sink.results).isEmpty();
    assertThat(sink.errors.get(0)).hasMessage("Invalid object name 'nope'.");
  }

  @Test
  void whatIsTooLongIsNotCut() {
    SqlServerError error =
        EngineFixture.attempt(session, "INSERT t VALUES (1, 'abcdef')").errors.get(0);

    assertThat(error.number()).isEqualTo(2628);
    assertThat(error)
        .hasMessage("String or binary data would be truncated in table 'shop.dbo.t', column 'b'.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0001-01-01T00:00:00+14:00",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-14:00",
        "9999-12-31T23:59:59.9999999-00:01",
        "2026-01-01T00:00:00+14:01"
      })
  void aDatetimeoffsetWhoseInstantOrOffsetIsOutOfRangeIsRefused(String value) {
    SqlServerError error =
        EngineFixture.attempt(session, "SELECT CAST('" + value + "' AS datetimeoffset)")
            .errors
            .get(0);

    assertThat(error.number()).isEqualTo(241);
  }
}
