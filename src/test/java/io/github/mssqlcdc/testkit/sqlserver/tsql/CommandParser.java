package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses EXEC, transaction statements, PRINT, RAISERROR, THROW, WAITFOR and USE. */
final class CommandParser {
  private final Tokens tokens;
  private final ExpressionParser expressions;

  CommandParser(Tokens tokens, ExpressionParser expressions) {
    this.tokens = tokens;
    this.expressions = expressions;
  }

  /** EXEC, or a procedure's bare name at the start of a batch. */
  Statement execute() throws SqlServerError {
    if (!tokens.accept("EXEC")) {
      tokens.accept("EXECUTE");
    }
    if (tokens.acceptOperator("(")) {
      Expression text = expressions.parse();
      tokens.expectOperator(")");
      return new Statement.ExecuteText(text);
    }
    String status = null;
    if (tokens.peek().kind() == Kind.VARIABLE) {
      status = tokens.expectVariable();
      tokens.expectOperator("=");
    }
    List<String> procedure = tokens.expectQualifiedName();
    return new Statement.Execute(status, procedure, arguments());
  }

  private List<Statement.Argument> arguments() throws SqlServerError {
    List<Statement.Argument> arguments = new ArrayList<>();
    if (!startsArgument()) {
      return arguments;
    }
    do {
      arguments.add(argument());
    } while (tokens.acceptOperator(","));
    return arguments;
  }

  private boolean startsArgument() {
    Token token = tokens.peek();
    return switch (token.kind()) {
      case STRING, UNICODE_STRING, NUMBER, BINARY, VARIABLE, GLOBAL, QUOTED -> true;
      case OPERATOR -> token.isOperator("-");
      case WORD -> token.isWord("NULL") || token.isWord("DEFAULT") || token.isName();
      case END -> false;
    };
  }

  private Statement.Argument argument() throws SqlServerError {
    String name = null;
    if (tokens.peek().kind() == Kind.VARIABLE && tokens.peek(1).isOperator("=")) {
      name = tokens.expectVariable();
      tokens.expectOperator("=");
    }
    Expression value = argumentValue();
    boolean output = tokens.accept("OUTPUT") || tokens.accept("OUT");
    return new Statement.Argument(name, value, output);
  }

  private Expression argumentValue() throws SqlServerError {
    if (tokens.accept("DEFAULT")) {
      return new Expression.Default();
    }
    if (tokens.acceptOperator("-")) {
      if (tokens.peek().kind() != Kind.NUMBER) {
        throw tokens.unexpected();
      }
      return new Expression.NumberLiteral("-" + tokens.next().text());
    }
    Token token = tokens.next();
    return switch (token.kind()) {
      case STRING -> new Expression.StringLiteral(token.value(), false);
      case UNICODE_STRING, QUOTED -> new Expression.StringLiteral(token.value(), true);
      case NUMBER -> new Expression.NumberLiteral(token.text());
      case BINARY -> new Expression.BinaryLiteral(token.value());
      case VARIABLE -> new Expression.Variable(token.text());
      case GLOBAL -> new Expression.GlobalVariable(token.text());
      case WORD ->
          token.isWord("NULL")
              ? new Expression.NullLiteral()
              : new Expression.StringLiteral(token.value(), true);
      case OPERATOR, END -> throw tokens.unexpected();
    };
  }

  Statement transaction() throws SqlServerError {
    String verb = tokens.expectWord();
    boolean spelled = tokens.accept("TRAN") || tokens.accept("TRANSACTION");
    if (!spelled && !verb.equals("SAVE")) {
      tokens.accept("WORK");
    }
    String name = spelled ? transactionName() : null;
    return switch (verb) {
      case "BEGIN" -> new Statement.BeginTransaction(name);
      case "COMMIT" -> new Statement.Commit();
      case "ROLLBACK" -> new Statement.Rollback(name);
      default -> {
        if (name == null) {
          throw tokens.unexpected();
        }
        yield new Statement.Save(name);
      }
    };
  }

  private @Nullable String transactionName() {
    return tokens.peek().isName() && !tokens.isWord("THROW") ? tokens.next().value() : null;
  }

  Statement command() throws SqlServerError {
    String verb = tokens.expectWord();
    return switch (verb) {
      case "PRINT" -> new Statement.Print(expressions.parse());
      case "RAISERROR" -> raiseError();
      case "THROW" -> throwStatement();
      case "WAITFOR" -> {
        tokens.expect("DELAY");
        yield new Statement.WaitFor(expressions.parse());
      }
      case "USE" -> new Statement.Use(tokens.expectName());
      default -> throw new IllegalStateException(verb.toLowerCase(Locale.ROOT));
    };
  }

  private Statement raiseError() throws SqlServerError {
    tokens.expectOperator("(");
    List<Expression> arguments = expressions.list();
    tokens.expectOperator(")");
    if (arguments.size() < 3) {
      throw tokens.unexpected();
    }
    if (tokens.accept("WITH") && !tokens.accept("NOWAIT")) {
      throw tokens.unexpected();
    }
    return new Statement.RaiseError(
        arguments.get(0),
        arguments.get(1),
        arguments.get(2),
        arguments.subList(3, arguments.size()));
  }

  private Statement throwStatement() throws SqlServerError {
    if (tokens.atEnd() || tokens.isOperator(";") || tokens.isWord("END")) {
      return new Statement.Throw(null, null, null);
    }
    Expression number = expressions.parse();
    tokens.expectOperator(",");
    Expression message = expressions.parse();
    tokens.expectOperator(",");
    return new Statement.Throw(number, message, expressions.parse());
  }
}
