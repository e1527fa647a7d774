package io.github.mssqlcdc.testkit.sqlserver.tsql;

/**
 * A token of T-SQL.
 *
 * @param text as written, for messages
 * @param value a name without its quotes, a string without its quotes, hex digits without 0x
 * @param start offset in the source
 */
record Token(Kind kind, String text, String value, int start) {

  int end() {
    return start + text.length();
  }

  boolean isWord(String word) {
    return kind == Kind.WORD && text.equalsIgnoreCase(word);
  }

  boolean isOperator(String operator) {
    return kind == Kind.OPERATOR && text.equals(operator);
  }

  boolean isReserved() {
    return kind == Kind.WORD && Keywords.isReserved(text);
  }

  /** Whether it can stand as a name: quoted, or a word that is no keyword. */
  boolean isName() {
    return kind == Kind.QUOTED || (kind == Kind.WORD && !Keywords.isReserved(text));
  }

  enum Kind {
    WORD,
    QUOTED,
    STRING,
    UNICODE_STRING,
    BINARY,
    NUMBER,
    VARIABLE,
    GLOBAL,
    OPERATOR,
    END
  }
}
