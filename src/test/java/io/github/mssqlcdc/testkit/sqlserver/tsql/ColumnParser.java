package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses the column definitions and keys of CREATE TABLE and ALTER TABLE. */
final class ColumnParser {
  private final Tokens tokens;
  private final ExpressionParser expressions;

  ColumnParser(Tokens tokens, ExpressionParser expressions) {
    this.tokens = tokens;
    this.expressions = expressions;
  }

  /** Columns and keys, in the order written, up to what is no comma. */
  void elements(List<Definition.ColumnDefinition> columns, List<Definition.Key> keys)
      throws SqlServerError {
    do {
      if (startsKey()) {
        String name = constraintName();
        keys.add(key(name, null));
      } else {
        columns.add(column());
      }
    } while (tokens.acceptOperator(","));
  }

  private boolean startsKey() {
    return tokens.isWord("CONSTRAINT") || tokens.isWord("PRIMARY") || tokens.isWord("UNIQUE");
  }

  private @Nullable String constraintName() throws SqlServerError {
    return tokens.accept("CONSTRAINT") ? tokens.expectName() : null;
  }

  /**
   * @param column of a key written behind its column; null: the key names its columns
   */
  private Definition.Key key(@Nullable String name, @Nullable String column) throws SqlServerError {
    boolean primary = tokens.accept("PRIMARY");
    tokens.expect(primary ? "KEY" : "UNIQUE");
    boolean clustered = primary;
    if (tokens.accept("NONCLUSTERED")) {
      clustered = false;
    } else if (tokens.accept("CLUSTERED")) {
      clustered = true;
    }
    List<String> columns = column == null ? keyColumns() : List.of(column);
    return new Definition.Key(name, primary, clustered, columns);
  }

  /** {@code (a ASC, b DESC)}; the direction has no effect on results. */
  List<String> keyColumns() throws SqlServerError {
    tokens.expectOperator("(");
    List<String> columns = new ArrayList<>();
    do {
      columns.add(tokens.expectName());
      if (!tokens.accept("ASC")) {
        tokens.accept("DESC");
      }
    } while (tokens.acceptOperator(","));
    tokens.expectOperator(")");
    return columns;
  }

  private Definition.ColumnDefinition column() throws SqlServerError {
    String name = tokens.expectName();
    if (tokens.accept("AS")) {
      tokens.expectOperator("(");
      Expression computed = expressions.parse();
      tokens.expectOperator(")");
      tokens.accept("PERSISTED");
      return new Definition.ColumnDefinition(
          name, null, null, null, null, null, null, computed, List.of());
    }
    TypeParser types = new TypeParser(tokens);
    boolean sysname = tokens.isWord("SYSNAME");
    List<String> typeName =
        types.startsAlias()
            ? tokens.expectQualifiedName()
            : sysname ? List.of("sys", "sysname") : null;
    DataType type = typeName == null || sysname ? types.parse(1) : null;
    Attributes attributes = new Attributes();
    attributes.nullable = sysname ? Boolean.FALSE : null;
    while (attribute(name, attributes)) {
      // each call takes one
    }
    return new Definition.ColumnDefinition(
        name,
        type == null ? null : collated(type, attributes.collation),
        typeName,
        attributes.collation,
        attributes.nullable,
        attributes.identity,
        attributes.defaultValue,
        null,
        attributes.keys);
  }

  private static DataType collated(DataType type, @Nullable String collation) {
    return new DataType(type.name(), type.length(), type.precision(), type.scale(), collation);
  }

  private boolean attribute(String column, Attributes attributes) throws SqlServerError {
    if (tokens.accept("COLLATE")) {
      attributes.collation = tokens.expectName();
    } else if (tokens.accept("NOT", "NULL")) {
      attributes.nullable = false;
    } else if (tokens.accept("NULL")) {
      attributes.nullable = true;
    } else if (tokens.accept("IDENTITY")) {
      attributes.identity = identity();
    } else if (startsKey() || tokens.isWord("DEFAULT")) {
      String constraint = constraintName();
      if (tokens.accept("DEFAULT")) {
        attributes.defaultValue = new Definition.DefaultValue(constraint, expressions.parse());
      } else {
        attributes.keys.add(key(constraint, column));
      }
    } else if (!tokens.accept("ROWGUIDCOL") && !tokens.accept("SPARSE")) {
      return false;
    }
    return true;
  }

  private Definition.Identity identity() throws SqlServerError {
    if (!tokens.acceptOperator("(")) {
      return new Definition.Identity(1, 1);
    }
    long seed = tokens.expectInteger();
    tokens.expectOperator(",");
    long increment = tokens.expectInteger();
    tokens.expectOperator(")");
    return new Definition.Identity(seed, increment);
  }

  /** {@code WITH (option = value, …)}, {@code ON [filegroup]}: storage, of no effect here. */
  void storage() throws SqlServerError {
    if (tokens.accept("WITH")) {
      tokens.expectOperator("(");
      do {
        tokens.expectWord();
        tokens.expectOperator("=");
        tokens.next();
      } while (tokens.acceptOperator(","));
      tokens.expectOperator(")");
    }
    if (tokens.accept("ON")) {
      tokens.expectName();
    }
  }

  private static final class Attributes {
    private @Nullable String collation;
    private @Nullable Boolean nullable;
    private Definition.@Nullable Identity identity;
    private Definition.@Nullable DefaultValue defaultValue;
    private final List<Definition.Key> keys = new ArrayList<>();
  }
}
