package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses what stands in FROM. */
final class FromParser {
  private static final Set<String> HINTS =
      Set.of(
          "NOLOCK",
          "READUNCOMMITTED",
          "READCOMMITTED",
          "READCOMMITTEDLOCK",
          "REPEATABLEREAD",
          "SERIALIZABLE",
          "HOLDLOCK",
          "UPDLOCK",
          "XLOCK",
          "ROWLOCK",
          "PAGLOCK",
          "TABLOCK",
          "TABLOCKX",
          "READPAST",
          "NOWAIT",
          "FORCESEEK",
          "FORCESCAN",
          "SNAPSHOT");

  private final Tokens tokens;
  private final ExpressionParser expressions;
  private final QueryParser queries;

  FromParser(Tokens tokens, ExpressionParser expressions, QueryParser queries) {
    this.tokens = tokens;
    this.expressions = expressions;
    this.queries = queries;
  }

  List<Query.TableSource> sources() throws SqlServerError {
    List<Query.TableSource> sources = new ArrayList<>();
    do {
      sources.add(joined());
    } while (tokens.acceptOperator(","));
    return sources;
  }

  private Query.TableSource joined() throws SqlServerError {
    Query.TableSource left = source();
    while (true) {
      String kind = joinKind();
      if (kind == null) {
        return left;
      }
      Query.TableSource right = source();
      Condition on = null;
      if (!kind.equals("CROSS")) {
        tokens.expect("ON");
        on = expressions.conditions().parse();
      }
      left = new Query.Join(kind, left, right, on);
    }
  }

  private @Nullable String joinKind() throws SqlServerError {
    if (tokens.accept("JOIN") || tokens.accept("INNER", "JOIN")) {
      return "INNER";
    }
    if (tokens.accept("CROSS")) {
      tokens.expect("JOIN");
      return "CROSS";
    }
    for (String side : List.of("LEFT", "RIGHT", "FULL")) {
      if (tokens.accept(side)) {
        tokens.accept("OUTER");
        tokens.expect("JOIN");
        return side;
      }
    }
    return null;
  }

  private Query.TableSource source() throws SqlServerError {
    if (tokens.isOperator("(")) {
      return parenthesized();
    }
    List<String> name = tokens.expectQualifiedName();
    if (tokens.acceptOperator("(")) {
      List<Expression> arguments = tokens.isOperator(")") ? List.of() : expressions.list();
      tokens.expectOperator(")");
      return new Query.FunctionTable(name, arguments, tokens.acceptAlias());
    }
    String alias = tokens.acceptAlias();
    return new Query.NamedTable(name, alias, hints());
  }

  private Query.TableSource parenthesized() throws SqlServerError {
    tokens.expectOperator("(");
    if (tokens.accept("VALUES")) {
      List<List<Expression>> rows = rows();
      tokens.expectOperator(")");
      return new Query.ValuesTable(rows, requiredAlias(), columnAliases());
    }
    if (queries.startsQuery()) {
      Query query = queries.parse();
      tokens.expectOperator(")");
      return new Query.DerivedTable(query, requiredAlias(), columnAliases());
    }
    Query.TableSource joined = joined();
    tokens.expectOperator(")");
    return joined;
  }

  /** {@code (a, b), (c, d)} behind VALUES. */
  List<List<Expression>> rows() throws SqlServerError {
    List<List<Expression>> rows = new ArrayList<>();
    do {
      tokens.expectOperator("(");
      List<Expression> row = new ArrayList<>();
      do {
        row.add(tokens.accept("DEFAULT") ? new Expression.Default() : expressions.parse());
      } while (tokens.acceptOperator(","));
      tokens.expectOperator(")");
      rows.add(row);
    } while (tokens.acceptOperator(","));
    return rows;
  }

  private String requiredAlias() throws SqlServerError {
    String alias = tokens.acceptAlias();
    if (alias == null) {
      throw tokens.unexpected();
    }
    return alias;
  }

  private List<String> columnAliases() throws SqlServerError {
    return tokens.isOperator("(") ? tokens.expectNames() : List.of();
  }

  /** {@code WITH (a, b)}: recorded, so that the engine may heed or refuse them. */
  Set<String> hints() throws SqlServerError {
    Set<String> hints = new LinkedHashSet<>();
    if (!tokens.isWord("WITH") || !tokens.peek(1).isOperator("(")) {
      return hints;
    }
    tokens.expect("WITH");
    tokens.expectOperator("(");
    do {
      hints.add(hint());
    } while (tokens.acceptOperator(","));
    tokens.expectOperator(")");
    return hints;
  }

  private String hint() throws SqlServerError {
    if (tokens.accept("INDEX")) {
      tokens.expectNames();
      return "INDEX";
    }
    if (!HINTS.contains(tokens.peek().text().toUpperCase(Locale.ROOT))) {
      throw tokens.unexpected();
    }
    return tokens.expectWord();
  }
}
