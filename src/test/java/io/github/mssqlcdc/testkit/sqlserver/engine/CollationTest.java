package io.github.mssqlcdc.testkit.sqlserver.engine;

import static io.github.mssqlcdc.testkit.sqlserver.engine.EngineFixture.error;
import static io.github.mssqlcdc.testkit.sqlserver.engine.EngineFixture.rows;
import static io.github.mssqlcdc.testkit.sqlserver.engine.EngineFixture.run;
import static io.github.mssqlcdc.testkit.sqlserver.engine.EngineFixture.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CollationTest {
  private final EngineFixture fixture = new EngineFixture();
  private final BackendSession shop = fixture.session();

  @AfterEach
  void close() {
    fixture.close();
  }

  private BackendSession database(String collation) {
    run(shop, "CREATE DATABASE other COLLATE " + collation);
    return fixture.session("other");
  }

  private static List<Object> column(BackendSession session, String sql) {
    return rows(session, sql).stream().map(row -> row.get(0)).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "SQL_Latin1_General_CP1_CI_AS, a, A, 1",
    "SQL_Latin1_General_CP1_CI_AS, a, á, 0",
    "SQL_Latin1_General_CP1_CI_AS, a, 'a  ', 1",
    "SQL_Latin1_General_CP1_CI_AS, a, ' a', 0",
    "SQL_Latin1_General_CP1_CI_AS, i, ı, 0",
    "Latin1_General_CI_AI, a, Á, 1",
    "Latin1_General_CS_AS, a, A, 0",
    "Latin1_General_CS_AS, a, 'a ', 1",
    "Latin1_General_BIN2, a, A, 0",
    "Latin1_General_BIN2, a, 'a ', 1",
    "Latin1_General_100_CI_AS_SC_UTF8, Ж, ж, 1",
    "Greek_CI_AS, ΑΛΦΑ, αλφα, 1",
    "Greek_CI_AS, ΩΣ, ως, 1",
    "Greek_CI_AS, α, ά, 0",
    "Turkish_CI_AS, i, I, 0",
    "Turkish_CI_AS, i, İ, 1",
    "Turkish_100_CI_AS, ı, I, 1",
    "Turkish_CI_AS, a, A, 1"
  })
  void stringsAreEqualAsTheCollationSays(String collation, String a, String b, int equal) {
    String test = "SELECT CASE WHEN N'%s' COLLATE %s = N'%s' THEN 1 ELSE 0 END";
    assertThat(value(shop, test.formatted(a, collation, b))).isEqualTo(equal);
  }

  @ParameterizedTest
  @CsvSource({"Latin1_General_CS_AS, 0", "Latin1_General_BIN2, 0", "Latin1_General_CI_AS, 1"})
  void likeHeedsCaseAsTheCollationDoes(String collation, int matches) {
    String test = "SELECT CASE WHEN N'Abc' COLLATE %s LIKE N'a%%' THEN 1 ELSE 0 END";
    assertThat(value(shop, test.formatted(collation))).isEqualTo(matches);
  }

  @Test
  void columnsSortAndGroupByTheirOwnCollation() {
    run(
        shop,
        "CREATE TABLE dbo.words (ci nvarchar(9), cs nvarchar(9) COLLATE Latin1_General_CS_AS,"
            + " bin nvarchar(9) COLLATE Latin1_General_BIN2, n int);"
            + " INSERT INTO dbo.words VALUES (N'b', N'b', N'b', 1), (N'B', N'B', N'B', 2),"
            + " (N'a', N'a', N'a', 3), (N'Z', N'Z', N'Z', 4), (N'á', N'á', N'á', 5),"
            + " (NULL, NULL, NULL, 6)");

    assertThat(column(shop, "SELECT n FROM dbo.words ORDER BY ci, n"))
        .containsExactly(6, 3, 5, 1, 2, 4);
    assertThat(column(shop, "SELECT n FROM dbo.words ORDER BY cs DESC"))
        .containsExactly(4, 2, 1, 5, 3, 6);
    assertThat(column(shop, "SELECT bin FROM dbo.words ORDER BY 1"))
        .containsExactly(null, "B", "Z", "a", "b", "á");
    assertThat(column(shop, "SELECT bin FROM dbo.words UNION ALL SELECT N'C' ORDER BY bin DESC"))
        .containsExactly("á", "b", "a", "Z", "C", "B", null);
    assertThat(column(shop, "SELECT COUNT(*) FROM dbo.words GROUP BY ci ORDER BY ci"))
        .containsExactly(1, 1, 1, 2, 1);
    assertThat(column(shop, "SELECT COUNT(*) FROM dbo.words GROUP BY cs ORDER BY cs"))
        .containsExactly(1, 1, 1, 1, 1, 1);
    assertThat(column(shop, "SELECT UPPER(ci) FROM dbo.words GROUP BY UPPER(ci) ORDER BY 1"))
        .containsExactly(null, "A", "Á", "B", "Z");
    assertThat(column(shop, "SELECT DISTINCT UPPER(ci) AS u FROM dbo.words ORDER BY u DESC"))
        .containsExactly("Z", "B", "Á", "A", null);
    assertThat(rows(shop, "SELECT ci FROM dbo.words UNION SELECT ci FROM dbo.words")).hasSize(5);
    assertThat(rows(shop, "SELECT MIN(ci), MAX(bin), MAX(cs), COUNT(DISTINCT ci) FROM dbo.words"))
        .containsExactly(List.of("a", "á", "Z", 4));
    assertThat(value(shop, "SELECT COUNT(*) FROM dbo.words WHERE ci IN (N'B', N'z')")).isEqualTo(3);
    assertThat(value(shop, "SELECT COUNT(*) FROM dbo.words WHERE bin > N'Z'")).isEqualTo(3);
    assertThat(
            column(shop, "SELECT ROW_NUMBER() OVER (PARTITION BY ci ORDER BY cs) FROM dbo.words"))
        .containsExactlyInAnyOrder(1L, 1L, 1L, 1L, 2L, 1L);
    assertThat(error(shop, "SELECT 1 FROM dbo.words WHERE cs = bin")).isEqualTo(468);
    assertThat(error(shop, "SELECT N'a' COLLATE Klingon_CI_AS")).isEqualTo(448);
  }

  @Test
  void uniqueKeysGoByTheCollation() {
    run(
        shop,
        "CREATE TABLE dbo.ci (k varchar(9) NOT NULL PRIMARY KEY, v int NULL);"
            + " CREATE TABLE dbo.cs (k char(9) COLLATE Latin1_General_CS_AS NOT NULL, g int,"
            + " CONSTRAINT u UNIQUE (k, g)); INSERT INTO dbo.ci VALUES ('a', 1);"
            + " INSERT INTO dbo.cs VALUES ('a', 1), ('A', 1), ('a', 2)");

    assertThat(error(shop, "INSERT INTO dbo.ci VALUES ('A ', 2)")).isEqualTo(2627);
    assertThat(error(shop, "INSERT INTO dbo.cs VALUES ('a', 1)")).isEqualTo(2627);
    run(shop, "ALTER TABLE dbo.ci ADD more varchar(5) NULL");
    run(shop, "INSERT INTO dbo.ci VALUES ('b', 2, 'x'); UPDATE dbo.ci SET k = 'C' WHERE k = 'B'");
    assertThat(rows(shop, "SELECT * FROM dbo.ci ORDER BY k"))
        .containsExactly(Arrays.asList("a", 1, null), List.of("C", 2, "x"));
    assertThat(fixture.commits.get(fixture.commits.size() - 1).changes().get(0).after())
        .containsExactly("C", 2, "x");
    run(shop, "ALTER TABLE dbo.ci ALTER COLUMN k varchar(20) NOT NULL");
    assertThat(error(shop, "INSERT INTO dbo.ci VALUES ('c', 2, NULL)")).isEqualTo(2627);
    run(shop, "ALTER TABLE dbo.cs DROP CONSTRAINT u; INSERT INTO dbo.cs VALUES ('a', 1)");
  }

  @Test
  void guidsSortFromTheLastGroupOn() {
    run(
        shop,
        "CREATE TABLE dbo.g (id uniqueidentifier NOT NULL, n int);"
            + " INSERT INTO dbo.g VALUES ('FF000000-0000-0000-0000-000000000001', 3),"
            + " ('00000000-0000-0000-0000-010000000000', 4),"
            + " ('00000000-0000-0000-0100-000000000000', 2),"
            + " ('00000001-0000-0000-0000-000000000000', 1)");

    assertThat(column(shop, "SELECT n FROM dbo.g ORDER BY id")).containsExactly(1, 2, 3, 4);
    assertThat(value(shop, "SELECT MAX(id) FROM dbo.g"))
        .hasToString("00000000-0000-0000-0000-010000000000");
    assertThat(
            column(shop, "SELECT n FROM dbo.g WHERE id > 'FF000000-0000-0000-0000-000000000001'"))
        .containsExactly(4);
  }

  @Test
  void namesGoByTheDatabaseAndVariablesByTheServer() {
    BackendSession bin = database("Latin1_General_BIN2");
    run(
        bin,
        "CREATE TABLE dbo.T (Id int, ID int); CREATE TABLE dbo.t (id int);"
            + " INSERT INTO dbo.T VALUES (1, 2)");

    assertThat(rows(bin, "SELECT x.ID, x.Id FROM dbo.T AS x")).containsExactly(List.of(2, 1));
    assertThat(error(bin, "SELECT id FROM dbo.T")).isEqualTo(207);
    assertThat(error(bin, "SELECT 1 FROM DBO.T")).isEqualTo(208);
    assertThat(error(bin, "SELECT X.Id FROM dbo.T AS x")).isEqualTo(4104);
    assertThat(error(bin, "SELECT 1 FROM sys.Columns")).isEqualTo(208);
    assertThat(error(bin, "SELECT NAME FROM sys.columns")).isEqualTo(207);
    assertThat(error(bin, "EXEC sys.SP_cdc_enable_db")).isEqualTo(2812);
    assertThat(value(bin, "DECLARE @x int = 1; SELECT Count(@X)")).isEqualTo(1);
  }

  @Test
  void inTurkishTheDottedAndTheDotlessIDiffer() {
    BackendSession turkish = database("Turkish_CI_AS");
    run(turkish, "CREATE TABLE dbo.Items (ID int)");

    assertThat(rows(turkish, "SELECT ıd FROM DBO.ITEMS")).isEmpty();
    assertThat(error(turkish, "SELECT id FROM dbo.Items")).isEqualTo(207);
    assertThat(error(turkish, "SELECT ID FROM dbo.items")).isEqualTo(208);
  }

  @Test
  void aCodePageKeepsWhatIsInIt() {
    BackendSession greek = database("Greek_CI_AS");
    run(
        greek,
        "CREATE TABLE dbo.t (g varchar(9), l varchar(9) COLLATE Latin1_General_CI_AS,"
            + " u varchar(9) COLLATE Latin1_General_100_CI_AS_SC_UTF8, n nvarchar(9));"
            + " INSERT INTO dbo.t VALUES ('α', 'α', N'αé', 'é'),"
            + " (N'βé', N'é', N'😀', N'é')");

    assertThat(rows(greek, "SELECT g, l, u, n FROM dbo.t"))
        .containsExactly(List.of("α", "?", "αé", "?"), List.of("β?", "é", "😀", "é"));
    assertThat(
            rows(
                greek,
                "SELECT DATABASEPROPERTYEX(DB_NAME(), 'Collation'),"
                    + " COLLATIONPROPERTY(N'Turkish_CI_AS', 'CodePage'),"
                    + " COLLATIONPROPERTY(collation_name, N'CodePage') FROM sys.columns"
                    + " WHERE object_id = OBJECT_ID(N'dbo.t') AND name = N'u'"))
        .containsExactly(List.of("Greek_CI_AS", 1254, 65001));
  }
}
