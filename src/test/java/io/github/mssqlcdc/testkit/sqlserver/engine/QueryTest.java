package io.github.mssqlcdc.testkit.sqlserver.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueryTest {
  private final EngineFixture server = new EngineFixture();
  private BackendSession session;

  @BeforeEach
  void fill() {
    session = server.session();
    EngineFixture.run(
        session,
        """
        CREATE TABLE dbo.items (id int NOT NULL PRIMARY KEY, name nvarchar(20) NULL,
            price decimal(10, 2) NULL, tag char(4) NULL, mark binary(10) NULL, big bigint NULL);
        INSERT dbo.items (id, name, price, tag, mark, big) VALUES
            (1, N'Ann', 1.50, 'a', 0x00000000000000000001, 10),
            (2, N'bob', 2.25, 'B', 0x00000000000000000002, 20),
            (3, N'CID', NULL, 'a', NULL, 30),
            (4, NULL, 4, NULL, 0x00000000000000000004, NULL);
        """);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private List<String> types(String sql) {
    List<Column> columns = EngineFixture.run(session, sql).results.get(0).columns();
    return columns.stream().map(QueryTest::type).toList();
  }

  private static String type(Column column) {
    DataType type = column.type();
    return switch (type.name()) {
      case DECIMAL, NUMERIC -> type.name() + "(" + type.precision() + "," + type.scale() + ")";
      case INT, BIGINT, BIT, FLOAT, DATETIME -> type.name().toString();
      case DATETIME2 -> type.name() + "(" + type.scale() + ")";
      default -> type.name() + "(" + type.length() + ")";
    };
  }

  @Test
  void columnsHaveTheirDeclaredTypes() {
    assertThat(types("SELECT * FROM dbo.items"))
        .containsExactly("INT", "NVARCHAR(20)", "DECIMAL(10,2)", "CHAR(4)", "BINARY(10)", "BIGINT");
  }

  @Test
  void expressionsHaveTheTypesOfTSql() {
    assertThat(
            types(
                "SELECT COUNT(*), COUNT_BIG(*), SUM(id), SUM(big), AVG(price), MAX(mark), MIN(name)"
                    + " FROM items"))
        .containsExactly(
            "INT", "BIGINT", "INT", "BIGINT", "NUMERIC(38,6)", "BINARY(10)", "NVARCHAR(20)");
    assertThat(
            types(
                "SELECT id + 1, id / 2, price * 2, price / 3, 1.0 / 3, big + id, name + 'x',"
                    + " CASE WHEN id = 1 THEN 1 ELSE big END, SYSDATETIME(), GETDATE(),"
                    + " ROW_NUMBER() OVER (ORDER BY id) FROM items"))
        .containsExactly(
            "INT",
            "INT",
            "NUMERIC(12,2)",
            "NUMERIC(14,6)",
            "NUMERIC(7,6)",
            "BIGINT",
            "NVARCHAR(21)",
            "BIGINT",
            "DATETIME2(7)",
            "DATETIME",
            "BIGINT");
  }

  @Test
  void integerDivisionCutsOffAndDecimalDivisionKeepsSixDigits() {
    assertThat(EngineFixture.rows(session, "SELECT 7 / 2, -7 / 2, 2.0 / 3, CAST(1.99 AS int)"))
        .containsExactly(List.of(3, -3, new BigDecimal("0.666666"), 1));
  }

  @Test
  void stringsCompareWithoutCaseAndTrailingBlanks() {
    assertThat(EngineFixture.rows(session, "SELECT id FROM items WHERE name = 'ANN  '"))
        .containsExactly(List.of(1));
    assertThat(EngineFixture.rows(session, "SELECT id FROM items WHERE tag = 'A' ORDER BY id"))
        .containsExactly(List.of(1), List.of(3));
    assertThat(EngineFixture.rows(session, "SELECT name FROM items WHERE id < 4 ORDER BY name"))
        .containsExactly(List.of("Ann"), List.of("bob"), List.of("CID"));
    assertThat(EngineFixture.rows(session, "SELECT id FROM items WHERE name LIKE '[a-b]%'"))
        .containsExactly(List.of(1), List.of(2));
  }

  @Test
  void charIsPaddedToItsLength() {
    assertThat(EngineFixture.value(session, "SELECT tag FROM items WHERE id = 1"))
        .isEqualTo("a   ");
  }

  @Test
  void nullsComeFirst() {
    assertThat(EngineFixture.rows(session, "SELECT id FROM items ORDER BY price, id"))
        .containsExactly(List.of(3), List.of(1), List.of(2), List.of(4));
  }

  @Test
  void variablesHoldWhatDeclareSetAndSelectGiveThem() {
    assertThat(
            EngineFixture.rows(
                session,
                """
                DECLARE @after int = 1, @n int = 2, @last nvarchar(20);
                DECLARE @end int = (SELECT MAX(c.id) FROM
                    (SELECT TOP (@n) id FROM dbo.items WHERE id > @after ORDER BY id) AS c);
                SELECT @last = name FROM dbo.items WHERE id <= @end ORDER BY id;
                SET @n += 40;
                SELECT @end, @last, @n, CASE WHEN EXISTS
                    (SELECT 1 FROM items WHERE id > @end) THEN 1 ELSE 0 END;
                """))
        .containsExactly(List.of(3, "CID", 42, 1));
  }

  @Test
  void tilesAreCutByWindowFunctionsInDerivedTables() {
    assertThat(
            EngineFixture.rows(
                session,
                """
                SELECT t.tile, MIN(t.id), COUNT_BIG(*) FROM
                    (SELECT id, NTILE(2) OVER (ORDER BY id) AS tile FROM items) AS t
                GROUP BY t.tile ORDER BY t.tile
                """))
        .containsExactly(List.of(1L, 1, 2L), List.of(2L, 3, 2L));
  }

  @Test
  void outerJoinsUnionsAndRecursionWork() {
    assertThat(
            EngineFixture.rows(
                session,
                "SELECT a.i, b.id FROM (VALUES (1), (9)) AS a(i)"
                    + " LEFT JOIN items AS b ON b.id = a.i ORDER BY a.i"))
        .containsExactly(List.of(1, 1), Arrays.asList(9, null));
    assertThat(
            EngineFixture.rows(
                session,
                "SELECT id FROM items WHERE id = 1 UNION ALL SELECT big FROM items"
                    + " WHERE id = 2 ORDER BY 1 DESC"))
        .containsExactly(List.of(20L), List.of(1L));
    assertThat(
            EngineFixture.value(
                session,
                "WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 50)"
                    + " SELECT SUM(i) FROM n"))
        .isEqualTo(1275);
  }

  @Test
  void severalSelectsGiveSeveralResultSetsInOrder() {
    RecordingSink sink = EngineFixture.run(session, "SELECT 1; SELECT id FROM items; SELECT 3");

    assertThat(sink.results).hasSize(3);
    assertThat(sink.counts).containsExactly(1L, 4L, 1L);
  }

  @Test
  void parametersAreBoundByName() {
    RecordingSink sink =
        EngineFixture.call(
            session,
            "SELECT TOP (@P0) id FROM items WHERE mark > @P1 ORDER BY id",
            new Request.Parameter("@P0", DataType.of(SqlTypeName.BIGINT), 1L, false),
            new Request.Parameter("@P1", DataType.of(SqlTypeName.VARBINARY, 8000), lsn(1), false));

    assertThat(sink.results.get(0).rows()).containsExactly(List.of(2));
  }

  private static byte[] lsn(int last) {
    byte[] bytes = new byte[10];
    bytes[9] = (byte) last;
    return bytes;
  }

  @Test
  void timesAreTheServersOwn() {
    assertThat(
            EngineFixture.rows(
                session,
                "SELECT CAST(SYSDATETIME() AS varchar(30)), CONVERT(varchar(30), GETDATE(), 121),"
                    + " DATEPART(TZOFFSET, SYSDATETIMEOFFSET()), CURRENT_TIMEZONE_ID()"))
        .containsExactly(
            List.of(
                "2026-03-01 13:00:00.1234567",
                "2026-03-01 13:00:00.123",
                60,
                "W. Europe Standard Time"));
  }
}
