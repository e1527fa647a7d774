package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.List;

/** Entry to the parser. What it does not know is error 102 or 156, and then nothing runs. */
public final class TSql {
  private TSql() {}

  /** The statements of one batch. */
  public static List<Statement> parse(String sql) throws SqlServerError {
    Tokens tokens = new Tokens(sql);
    return new StatementParser(tokens).batch();
  }

  /** The declarations of {@code sp_executesql}'s second argument. */
  public static List<Statement.Declare> parseDeclarations(String sql) throws SqlServerError {
    Tokens tokens = new Tokens(sql);
    return new VariableParser(tokens, new QueryParser(tokens).expressions()).parameters();
  }

  /** A declared type by its text, such as {@code decimal(10, 2)}. */
  public static DataType parseType(String sql) throws SqlServerError {
    return new TypeParser(new Tokens(sql)).parse(1);
  }

  /** One to four parts of an object's name, as in {@code OBJECT_ID(N'[dbo].[t]')}. */
  public static List<String> parseName(String name) throws SqlServerError {
    Tokens tokens = new Tokens(name);
    List<String> parts = tokens.expectQualifiedName();
    if (!tokens.atEnd()) {
      throw tokens.unexpected();
    }
    return parts;
  }
}
