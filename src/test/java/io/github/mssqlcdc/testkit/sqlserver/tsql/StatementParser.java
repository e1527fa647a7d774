package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Parses statements by their first word; control flow is parsed here. */
final class StatementParser {
  private final Tokens tokens;
  private final QueryParser queries;
  private final ExpressionParser expressions;
  private final DataParser data;
  private final DefinitionParser definitions;
  private final PermissionParser permissions;
  private final VariableParser variables;
  private final CommandParser commands;

  StatementParser(Tokens tokens) {
    this.tokens = tokens;
    this.queries = new QueryParser(tokens);
    this.expressions = queries.expressions();
    this.data = new DataParser(tokens, queries);
    this.definitions = new DefinitionParser(tokens, expressions);
    this.permissions = new PermissionParser(tokens);
    this.variables = new VariableParser(tokens, expressions);
    this.commands = new CommandParser(tokens, expressions);
  }

  List<Statement> batch() throws SqlServerError {
    List<Statement> statements = new ArrayList<>();
    skipSemicolons();
    if (tokens.peek().isName() && !tokens.isWord("THROW") && !tokens.isWord("RECONFIGURE")) {
      statements.add(commands.execute());
      skipSemicolons();
    }
    while (!tokens.atEnd()) {
      statements.addAll(statement());
      skipSemicolons();
    }
    return statements;
  }

  private void skipSemicolons() {
    while (tokens.acceptOperator(";")) {
      // empty statements mean nothing
    }
  }

  /** One statement; DECLARE of several variables gives several. */
  private List<Statement> statement() throws SqlServerError {
    String word = tokens.peek().text().toUpperCase(Locale.ROOT);
    if (tokens.peek().kind() == Token.Kind.OPERATOR && queries.startsQuery()) {
      return List.of(data.select());
    }
    if (tokens.peek().kind() != Token.Kind.WORD) {
      throw tokens.unexpected();
    }
    if (word.equals("DECLARE")) {
      return List.copyOf(variables.declare());
    }
    return List.of(single(word));
  }

  private Statement single(String word) throws SqlServerError {
    return switch (word) {
      case "SELECT" -> data.select();
      case "WITH" -> data.withCommonTables();
      case "INSERT" -> data.insert(List.of());
      case "UPDATE" -> data.update();
      case "DELETE" -> data.delete();
      case "TRUNCATE" -> data.truncate();
      case "SET" -> variables.set();
      case "IF" -> ifStatement();
      case "WHILE" -> whileStatement();
      case "BEGIN" -> begin();
      case "BREAK" -> word(new Statement.Break());
      case "CONTINUE" -> word(new Statement.Continue());
      case "RETURN" -> returnStatement();
      case "COMMIT", "ROLLBACK", "SAVE" -> commands.transaction();
      case "RECONFIGURE" -> word(new Statement.Reconfigure());
      case "EXEC", "EXECUTE" -> commands.execute();
      case "PRINT", "RAISERROR", "THROW", "WAITFOR", "USE" -> commands.command();
      case "CREATE", "ALTER", "DROP" -> definitions.parse();
      case "GRANT", "DENY", "REVOKE" -> permissions.parse();
      default -> throw tokens.unexpected();
    };
  }

  private Statement word(Statement statement) {
    tokens.next();
    return statement;
  }

  private Statement body() throws SqlServerError {
    List<Statement> statements = statement();
    tokens.acceptOperator(";");
    return statements.size() == 1 ? statements.get(0) : new Statement.Block(statements);
  }

  private Statement ifStatement() throws SqlServerError {
    tokens.expect("IF");
    Condition condition = expressions.conditions().parse();
    Statement then = body();
    Statement otherwise = tokens.accept("ELSE") ? body() : null;
    return new Statement.If(condition, then, otherwise);
  }

  private Statement whileStatement() throws SqlServerError {
    tokens.expect("WHILE");
    return new Statement.While(expressions.conditions().parse(), body());
  }

  private Statement returnStatement() throws SqlServerError {
    tokens.expect("RETURN");
    boolean value = !tokens.atEnd() && !tokens.isOperator(";") && !tokens.peek().isReserved();
    return new Statement.Return(value ? expressions.parse() : null);
  }

  private Statement begin() throws SqlServerError {
    if (tokens.areWords("BEGIN", "TRAN") || tokens.areWords("BEGIN", "TRANSACTION")) {
      return commands.transaction();
    }
    tokens.expect("BEGIN");
    if (tokens.accept("TRY")) {
      List<Statement> attempt = block("TRY");
      skipSemicolons();
      tokens.expect("BEGIN", "CATCH");
      return new Statement.TryCatch(attempt, block("CATCH"));
    }
    return new Statement.Block(block());
  }

  private List<Statement> block(String... closing) throws SqlServerError {
    List<Statement> statements = new ArrayList<>();
    skipSemicolons();
    while (!tokens.isWord("END")) {
      statements.addAll(statement());
      skipSemicolons();
    }
    tokens.expect("END");
    tokens.expect(closing);
    return statements;
  }
}
