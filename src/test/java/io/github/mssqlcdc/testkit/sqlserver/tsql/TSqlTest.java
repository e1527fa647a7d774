package io.github.mssqlcdc.testkit.sqlserver.tsql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TSqlTest {

  @Test
  void statementsNeedNoSemicolons() throws SqlServerError {
    assertThat(TSql.parse("SET NOCOUNT ON SELECT 1 SELECT 2 COMMIT TRAN"))
        .hasSize(4)
        .last()
        .isInstanceOf(Statement.Commit.class);
  }

  @Test
  void whatTheDriverSendsForSavepointsIsFourStatements() throws SqlServerError {
    List<Statement> statements =
        TSql.parse(
            "IF @@TRANCOUNT = 0 BEGIN BEGIN TRAN IF @@TRANCOUNT = 2 COMMIT TRAN END"
                + " SAVE TRAN [a]");

    assertThat(statements).hasSize(2);
    assertThat(((Statement.If) statements.get(0)).then()).isInstanceOf(Statement.Block.class);
    assertThat(statements.get(1)).isEqualTo(new Statement.Save("a"));
  }

  @Test
  void aParenthesisOpensAConditionOrAValue() throws SqlServerError {
    Statement.If condition = (Statement.If) TSql.parse("IF (@a = 1 OR @b = 2) PRINT 'x'").get(0);
    Statement.If value = (Statement.If) TSql.parse("IF (@a + 1) * 2 = 4 PRINT 'x'").get(0);

    assertThat(condition.condition()).isInstanceOf(Condition.Or.class);
    assertThat(value.condition()).isInstanceOf(Condition.Comparison.class);
  }

  @Test
  void tableHintsAreKept() throws SqlServerError {
    Statement.Select select =
        (Statement.Select) TSql.parse("SELECT a FROM t WITH (NOLOCK, INDEX(ix))").get(0);

    Query.Select block = (Query.Select) select.query().body();
    assertThat(((Query.NamedTable) block.from().get(0)).hints()).containsExactly("NOLOCK", "INDEX");
  }

  @Test
  void alterTableKeepsItsText() throws SqlServerError {
    Definition.AlterTable alter =
        (Definition.AlterTable)
            TSql.parse("PRINT 'a'; ALTER TABLE dbo.t  ADD c int NULL; PRINT 'b'").get(1);

    assertThat(alter.text()).isEqualTo("ALTER TABLE dbo.t  ADD c int NULL");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a FROM t FOR XML AUTO",
        "SELECT a FROM t CROSS APPLY f(t.a) AS x",
        "SELECT a AT TIME ZONE 'UTC' FROM t",
        "SELECT a FROM t OPTION (HASH JOIN)",
        "SELECT a FROM t WITH (FASTER)",
        "SELECT a INTO #x FROM t",
        "UPDATE TOP (1) t SET a = 1",
        "UPDATE t SET a = 1 OUTPUT deleted.a",
        "MERGE t USING s ON 1 = 1 WHEN MATCHED THEN DELETE",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE t (a int CHECK (a > 0))",
        "ALTER TABLE t SWITCH TO u",
        "SET SHOWPLAN_ALL ON",
        "SELECT 1 LIMIT 1 OFFSET 1",
        "DECLARE @t TABLE (a int)",
        "KILL 52"
      })
  void whatIsNotKnownIsASyntaxError(String sql) {
    SqlServerError error = catchThrowableOfType(SqlServerError.class, () -> TSql.parse(sql));

    assertThat(error).as(sql).isNotNull();
    assertThat(error.number()).as(error.getMessage()).isIn(102, 156, 2715);
  }

  @Test
  void theErrorNamesTheWordOrTheKeyword() {
    assertThat(catchThrowableOfType(SqlServerError.class, () -> TSql.parse("SELECT a FROM WHERE")))
        .hasMessage("Incorrect syntax near the keyword 'WHERE'.");
    assertThat(catchThrowableOfType(SqlServerError.class, () -> TSql.parse("SELECT a b c")))
        .hasMessage("Incorrect syntax near 'c'.");
    assertThat(catchThrowableOfType(SqlServerError.class, () -> TSql.parse("SELECT (1")))
        .hasMessage("Incorrect syntax near '1'.");
  }
}
