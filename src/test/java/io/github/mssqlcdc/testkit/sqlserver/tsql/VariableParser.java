package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Parses DECLARE and SET. */
final class VariableParser {
  private static final Set<String> SWITCHES =
      Set.of(
          "NOCOUNT",
          "XACT_ABORT",
          "IMPLICIT_TRANSACTIONS",
          "QUOTED_IDENTIFIER",
          "ANSI_NULLS",
          "ANSI_NULL_DFLT_ON",
          "ANSI_PADDING",
          "ANSI_WARNINGS",
          "ANSI_DEFAULTS",
          "ARITHABORT",
          "CONCAT_NULL_YIELDS_NULL",
          "NUMERIC_ROUNDABORT",
          "CURSOR_CLOSE_ON_COMMIT",
          "REMOTE_PROC_TRANSACTIONS",
          "FORCEPLAN");
  private static final Set<String> NUMBERS =
      Set.of("LOCK_TIMEOUT", "ROWCOUNT", "TEXTSIZE", "DATEFIRST", "QUERY_GOVERNOR_COST_LIMIT");
  private static final Set<String> WORDS = Set.of("DATEFORMAT", "LANGUAGE", "DEADLOCK_PRIORITY");
  private static final Set<String> LEVELS =
      Set.of("READ COMMITTED", "READ UNCOMMITTED", "REPEATABLE READ", "SERIALIZABLE", "SNAPSHOT");

  private final Tokens tokens;
  private final ExpressionParser expressions;

  VariableParser(Tokens tokens, ExpressionParser expressions) {
    this.tokens = tokens;
    this.expressions = expressions;
  }

  List<Statement.Declare> declare() throws SqlServerError {
    tokens.expect("DECLARE");
    List<Statement.Declare> variables = new ArrayList<>();
    do {
      variables.add(variable());
    } while (tokens.acceptOperator(","));
    return variables;
  }

  /** {@code @a int, @b nvarchar(10) OUTPUT}: the parameters of sp_executesql. */
  List<Statement.Declare> parameters() throws SqlServerError {
    List<Statement.Declare> parameters = new ArrayList<>();
    while (!tokens.atEnd()) {
      parameters.add(variable());
      if (!tokens.accept("OUTPUT")) {
        tokens.accept("OUT");
      }
      if (!tokens.acceptOperator(",") && !tokens.atEnd()) {
        throw tokens.unexpected();
      }
    }
    return parameters;
  }

  private Statement.Declare variable() throws SqlServerError {
    String name = tokens.expectVariable();
    tokens.accept("AS");
    DataType type = new TypeParser(tokens).parse(1);
    Expression initial = tokens.acceptOperator("=") ? expressions.parse() : null;
    return new Statement.Declare(name, type, initial);
  }

  Statement set() throws SqlServerError {
    tokens.expect("SET");
    if (tokens.peek().kind() == Token.Kind.VARIABLE) {
      return assignment();
    }
    if (tokens.accept("TRANSACTION", "ISOLATION", "LEVEL")) {
      return isolation();
    }
    if (tokens.accept("IDENTITY_INSERT")) {
      List<String> table = tokens.expectQualifiedName();
      return new Statement.SetIdentityInsert(table, onOrOff().equals("ON"));
    }
    return options();
  }

  private Statement assignment() throws SqlServerError {
    String variable = tokens.expectVariable();
    for (String operator : List.of("+", "-", "*", "/", "%")) {
      if (tokens.acceptOperator(operator + "=")) {
        return new Statement.SetVariable(
            variable,
            new Expression.Binary(
                operator, new Expression.Variable(variable), expressions.parse()));
      }
    }
    tokens.expectOperator("=");
    return new Statement.SetVariable(variable, expressions.parse());
  }

  private Statement isolation() throws SqlServerError {
    String level = tokens.expectWord();
    if (level.equals("READ") || level.equals("REPEATABLE")) {
      level += " " + tokens.expectWord();
    }
    if (!LEVELS.contains(level)) {
      throw tokens.unexpected();
    }
    return new Statement.SetIsolation(level);
  }

  private Statement options() throws SqlServerError {
    List<String> names = new ArrayList<>();
    do {
      names.add(option());
    } while (tokens.acceptOperator(","));
    if (names.size() == 1 && NUMBERS.contains(names.get(0))) {
      return new Statement.SetOption(names.get(0), Integer.toString(tokens.expectInteger()));
    }
    if (names.size() == 1 && WORDS.contains(names.get(0))) {
      return new Statement.SetOption(names.get(0), tokens.next().value().toUpperCase(Locale.ROOT));
    }
    String value = onOrOff();
    List<Statement> settings = new ArrayList<>();
    for (String name : names) {
      if (!SWITCHES.contains(name)) {
        throw tokens.unexpected();
      }
      settings.add(new Statement.SetOption(name, value));
    }
    return settings.size() == 1 ? settings.get(0) : new Statement.Block(settings);
  }

  private String option() throws SqlServerError {
    String name = tokens.peek().text().toUpperCase(Locale.ROOT);
    if (!SWITCHES.contains(name) && !NUMBERS.contains(name) && !WORDS.contains(name)) {
      throw tokens.unexpected();
    }
    return tokens.expectWord();
  }

  private String onOrOff() throws SqlServerError {
    if (tokens.accept("ON")) {
      return "ON";
    }
    tokens.expect("OFF");
    return "OFF";
  }
}
