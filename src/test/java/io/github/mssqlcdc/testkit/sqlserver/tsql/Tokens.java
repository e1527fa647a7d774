package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cursor over tokens; what is not as expected is SQL Server's error 102 or 156. */
final class Tokens {
  private final String source;
  private final List<Token> tokens;
  private int at;

  Tokens(String source) throws SqlServerError {
    this.source = source;
    this.tokens = Lexer.tokens(source);
  }

  /** The source from a mark up to the last token taken. */
  String textSince(int mark) {
    return source.substring(tokens.get(mark).start(), tokens.get(at - 1).end());
  }

  Token peek() {
    return tokens.get(at);
  }

  Token peek(int ahead) {
    return tokens.get(Math.min(at + ahead, tokens.size() - 1));
  }

  Token next() {
    Token token = peek();
    at = Math.min(at + 1, tokens.size() - 1);
    return token;
  }

  int mark() {
    return at;
  }

  void reset(int mark) {
    at = mark;
  }

  boolean atEnd() {
    return peek().kind() == Kind.END;
  }

  boolean isWord(String word) {
    return peek().isWord(word);
  }

  /** Whether these words come next, in this order. */
  boolean areWords(String... words) {
    for (int i = 0; i < words.length; i++) {
      if (!peek(i).isWord(words[i])) {
        return false;
      }
    }
    return true;
  }

  boolean isOperator(String operator) {
    return peek().isOperator(operator);
  }

  /** Takes the words if all of them come next. */
  boolean accept(String... words) {
    if (!areWords(words)) {
      return false;
    }
    at += words.length;
    return true;
  }

  boolean acceptOperator(String operator) {
    if (!isOperator(operator)) {
      return false;
    }
    next();
    return true;
  }

  void expect(String... words) throws SqlServerError {
    for (String word : words) {
      if (!accept(word)) {
        throw unexpected();
      }
    }
  }

  void expectOperator(String operator) throws SqlServerError {
    if (!acceptOperator(operator)) {
      throw unexpected();
    }
  }

  /** Takes a name: quoted, or a word that is not reserved. */
  String expectName() throws SqlServerError {
    if (!peek().isName()) {
      throw unexpected();
    }
    return next().value();
  }

  /** Takes any unquoted word, reserved or not, in upper case. */
  String expectWord() throws SqlServerError {
    if (peek().kind() != Kind.WORD) {
      throw unexpected();
    }
    return next().text().toUpperCase(java.util.Locale.ROOT);
  }

  String expectVariable() throws SqlServerError {
    if (peek().kind() != Kind.VARIABLE) {
      throw unexpected();
    }
    return next().text();
  }

  String expectString() throws SqlServerError {
    if (peek().kind() != Kind.STRING && peek().kind() != Kind.UNICODE_STRING) {
      throw unexpected();
    }
    return next().value();
  }

  int expectInteger() throws SqlServerError {
    boolean negative = acceptOperator("-");
    if (peek().kind() != Kind.NUMBER || !peek().text().matches("\\d{1,9}")) {
      throw unexpected();
    }
    int value = Integer.parseInt(next().text());
    return negative ? -value : value;
  }

  /** {@code a}, {@code a.b}, {@code a..b}: an omitted part is empty. */
  List<String> expectQualifiedName() throws SqlServerError {
    List<String> parts = new ArrayList<>();
    parts.add(expectName());
    while (acceptOperator(".")) {
      parts.add(isOperator(".") ? "" : expectPart());
    }
    if (parts.size() > 4) {
      throw unexpected();
    }
    return parts;
  }

  private String expectPart() throws SqlServerError {
    if (peek().kind() != Kind.WORD && peek().kind() != Kind.QUOTED) {
      throw unexpected();
    }
    return next().value();
  }

  /** {@code (a, b)}. */
  List<String> expectNames() throws SqlServerError {
    expectOperator("(");
    List<String> names = new ArrayList<>();
    do {
      names.add(expectName());
    } while (acceptOperator(","));
    expectOperator(")");
    return names;
  }

  @Nullable String acceptAlias() throws SqlServerError {
    if (accept("AS")) {
      return expectName();
    }
    return peek().isName() ? next().value() : null;
  }

  SqlServerError unexpected() {
    Token token = atEnd() && at > 0 ? tokens.get(at - 1) : peek();
    if (token.isReserved()) {
      return new SqlServerError(
          156, 15, 1, "Incorrect syntax near the keyword '" + token.text() + "'.");
    }
    return new SqlServerError(102, 15, 1, "Incorrect syntax near '" + token.value() + "'.");
  }
}
