package io.github.mssqlcdc.testkit.sqlserver.tsql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Token.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class LexerTest {

  private static List<String> values(String sql) throws SqlServerError {
    return Lexer.tokens(sql).stream().map(t -> t.kind() + " " + t.value()).toList();
  }

  @Test
  void quotesAreUndoubledInNamesAndStrings() throws SqlServerError {
    assertThat(values("[a]]b] \"c\"\"d\" 'it''s' N'ü'"))
        .containsExactly("QUOTED a]b", "QUOTED c\"d", "STRING it's", "UNICODE_STRING ü", "END ");
  }

  @Test
  void aWordBehindAHexLiteralIsNotEaten() throws SqlServerError {
    assertThat(values("0x0A AS AND")).containsExactly("BINARY 0A", "WORD AS", "WORD AND", "END ");
  }

  @Test
  void numbersVariablesAndOperatorsAreToldApart() throws SqlServerError {
    assertThat(values("1 1.5 .5 1e-3 @x @@SPID <= != +="))
        .containsExactly(
            "NUMBER 1",
            "NUMBER 1.5",
            "NUMBER .5",
            "NUMBER 1e-3",
            "VARIABLE @x",
            "GLOBAL @@SPID",
            "OPERATOR <=",
            "OPERATOR !=",
            "OPERATOR +=",
            "END ");
  }

  @Test
  void commentsNest() throws SqlServerError {
    assertThat(values("a /* 1 /* 2 */ 3 */ b -- c\n d"))
        .containsExactly("WORD a", "WORD b", "WORD d", "END ");
  }

  @Test
  void whatIsNotClosedIsAnError() {
    assertThatThrownBy(() -> Lexer.tokens("SELECT 'a"))
        .isInstanceOf(SqlServerError.class)
        .hasMessage("Unclosed quotation mark after the character string 'a'.");
    assertThatThrownBy(() -> Lexer.tokens("/* a"))
        .isInstanceOf(SqlServerError.class)
        .hasMessage("Missing end comment mark '*/'.");
  }

  @Test
  void aNameNeedsNoQuotesForDollarSigns() throws SqlServerError {
    assertThat(Lexer.tokens("__$start_lsn").get(0).kind()).isEqualTo(Kind.WORD);
  }
}
