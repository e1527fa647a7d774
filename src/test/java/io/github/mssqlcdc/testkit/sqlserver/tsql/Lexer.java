package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** Cuts T-SQL into tokens; comments (nested ones too) and blanks are dropped. */
final class Lexer {
  private static final List<String> OPERATORS =
      List.of(
          "<=", ">=", "<>", "!=", "!<", "!>", "+=", "-=", "*=", "/=", "%=", "::", "(", ")", ",",
          ";", ".", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "{", "}", "?", ":",
          "!", "\\", "$", "`");

  private static final int LONGEST_NAME = 128;

  private final String sql;
  private final List<Token> tokens = new ArrayList<>();
  private int at;

  private Lexer(String sql) {
    this.sql = sql;
  }

  /** The tokens of the text, closed by one of kind END. */
  static List<Token> tokens(String sql) throws SqlServerError {
    Lexer lexer = new Lexer(sql);
    while (lexer.skipBlanks()) {
      lexer.next();
    }
    lexer.tokens.add(new Token(Kind.END, "", "", sql.length()));
    return lexer.tokens;
  }

  private boolean skipBlanks() throws SqlServerError {
    while (at < sql.length()) {
      if (Character.isWhitespace(sql.charAt(at)) || sql.charAt(at) == '\uFEFF') {
        at++;
      } else if (sql.startsWith("--", at)) {
        int end = sql.indexOf('\n', at);
        at = end < 0 ? sql.length() : end;
      } else if (sql.startsWith("/*", at)) {
        skipComment();
      } else {
        return true;
      }
    }
    return false;
  }

  private void skipComment() throws SqlServerError {
    int depth = 0;
    do {
      if (at >= sql.length()) {
        throw new SqlServerError(113, 15, 1, "Missing end comment mark '*/'.");
      } else if (sql.startsWith("/*", at)) {
        depth++;
        at += 2;
      } else if (sql.startsWith("*/", at)) {
        depth--;
        at += 2;
      } else {
        at++;
      }
    } while (depth > 0);
  }

  private void next() throws SqlServerError {
    char c = sql.charAt(at);
    if (c == '\'') {
      string(Kind.STRING, at);
    } else if ((c == 'N' || c == 'n') && charAt(at + 1) == '\'') {
      at++;
      string(Kind.UNICODE_STRING, at - 1);
    } else if (c == '[') {
      quoted(']', Kind.QUOTED, at);
    } else if (c == '"') {
      quoted('"', Kind.QUOTED, at);
    } else if (c == '0' && (charAt(at + 1) == 'x' || charAt(at + 1) == 'X')) {
      binary();
    } else if (isDigit(c) || (c == '.' && isDigit(charAt(at + 1)))) {
      number();
    } else if (c == '@') {
      word(sql.startsWith("@@", at) ? Kind.GLOBAL : Kind.VARIABLE);
    } else if (isWordStart(c)) {
      word(Kind.WORD);
    } else {
      operator();
    }
  }

  private void string(Kind kind, int start) throws SqlServerError {
    quoted('\'', kind, start);
  }

  private void quoted(char close, Kind kind, int start) throws SqlServerError {
    StringBuilder value = new StringBuilder();
    int i = at + 1;
    while (i < sql.length()) {
      char c = sql.charAt(i);
      if (c != close) {
        value.append(c);
        i++;
      } else if (charAt(i + 1) == close) {
        value.append(c);
        i += 2;
      } else {
        at = i + 1;
        requireShort(kind, value);
        tokens.add(new Token(kind, sql.substring(start, at), value.toString(), start));
        return;
      }
    }
    throw new SqlServerError(
        105, 15, 1, "Unclosed quotation mark after the character string '" + value + "'.");
  }

  private static void requireShort(Kind kind, StringBuilder name) throws SqlServerError {
    if (kind == Kind.QUOTED && name.length() > LONGEST_NAME) {
      throw new SqlServerError(
          103,
          15,
          4,
          "The identifier that starts with '"
              + name.substring(0, LONGEST_NAME)
              + "' is too long. Maximum length is 128.");
    }
  }

  private void binary() {
    int start = at;
    at += 2;
    while (Character.digit(charAt(at), 16) >= 0) {
      at++;
    }
    add(Kind.BINARY, start, sql.substring(start + 2, at));
  }

  private void number() {
    int start = at;
    digits();
    if (charAt(at) == '.') {
      at++;
      digits();
    }
    if (charAt(at) == 'e' || charAt(at) == 'E') {
      at++;
      if (charAt(at) == '+' || charAt(at) == '-') {
        at++;
      }
      digits();
    }
    add(Kind.NUMBER, start, sql.substring(start, at));
  }

  private void digits() {
    while (isDigit(charAt(at))) {
      at++;
    }
  }

  private void word(Kind kind) {
    int start = at;
    while (isWordPart(charAt(at))) {
      at++;
    }
    add(kind, start, sql.substring(start, at));
  }

  private void operator() throws SqlServerError {
    for (String operator : OPERATORS) {
      if (sql.startsWith(operator, at)) {
        tokens.add(new Token(Kind.OPERATOR, operator, operator, at));
        at += operator.length();
        return;
      }
    }
    throw new SqlServerError(102, 15, 1, "Incorrect syntax near '" + sql.charAt(at) + "'.");
  }

  private void add(Kind kind, int start, String value) {
    tokens.add(new Token(kind, sql.substring(start, at), value, start));
  }

  private char charAt(int index) {
    return index < sql.length() ? sql.charAt(index) : '\0';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isWordStart(char c) {
    return Character.isLetter(c) || c == '_' || c == '#';
  }

  private static boolean isWordPart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '#' || c == '$' || c == '@';
  }
}
