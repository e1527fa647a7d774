package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses CREATE, ALTER and DROP. */
final class DefinitionParser {
  private final Tokens tokens;
  private final ColumnParser columns;
  private final PrincipalParser principals;

  DefinitionParser(Tokens tokens, ExpressionParser expressions) {
    this.tokens = tokens;
    this.columns = new ColumnParser(tokens, expressions);
    this.principals = new PrincipalParser(tokens);
  }

  Statement parse() throws SqlServerError {
    int mark = tokens.mark();
    if (tokens.accept("ALTER", "TABLE")) {
      List<String> table = tokens.expectQualifiedName();
      Definition.Alteration change = alteration();
      return new Definition.AlterTable(table, change, tokens.textSince(mark));
    }
    return switch (tokens.expectWord()) {
      case "CREATE" -> create();
      case "ALTER" -> alter();
      default -> drop();
    };
  }

  private Statement create() throws SqlServerError {
    if (tokens.accept("TABLE")) {
      return createTable();
    }
    if (tokens.accept("DATABASE")) {
      String name = tokens.expectName();
      return new Definition.CreateDatabase(
          name, tokens.accept("COLLATE") ? tokens.expectName() : null);
    }
    if (tokens.accept("TYPE")) {
      return createType();
    }
    if (tokens.accept("SCHEMA")) {
      Definition schema = new Definition.CreateSchema(tokens.expectName());
      if (tokens.accept("AUTHORIZATION")) {
        tokens.expectName();
      }
      return schema;
    }
    if (tokens.isWord("UNIQUE")
        || tokens.isWord("CLUSTERED")
        || tokens.isWord("NONCLUSTERED")
        || tokens.isWord("INDEX")) {
      return createIndex();
    }
    return principals.create();
  }

  private Statement createTable() throws SqlServerError {
    List<String> name = tokens.expectQualifiedName();
    List<Definition.ColumnDefinition> definitions = new ArrayList<>();
    List<Definition.Key> keys = new ArrayList<>();
    tokens.expectOperator("(");
    columns.elements(definitions, keys);
    tokens.expectOperator(")");
    columns.storage();
    return new Definition.CreateTable(name, definitions, keys);
  }

  private Statement createType() throws SqlServerError {
    List<String> name = tokens.expectQualifiedName();
    tokens.expect("FROM");
    DataType base = new TypeParser(tokens).parse(1);
    boolean required = tokens.accept("NOT", "NULL");
    if (!required) {
      tokens.accept("NULL");
    }
    return new Definition.CreateType(name, base, !required);
  }

  private Statement createIndex() throws SqlServerError {
    boolean unique = tokens.accept("UNIQUE");
    boolean clustered = tokens.accept("CLUSTERED");
    if (!clustered) {
      tokens.accept("NONCLUSTERED");
    }
    tokens.expect("INDEX");
    String name = tokens.expectName();
    tokens.expect("ON");
    List<String> table = tokens.expectQualifiedName();
    List<String> keyColumns = columns.keyColumns();
    if (tokens.accept("INCLUDE")) {
      tokens.expectNames();
    }
    columns.storage();
    return new Definition.CreateIndex(name, table, unique, clustered, keyColumns);
  }

  private Statement alter() throws SqlServerError {
    if (tokens.accept("DATABASE")) {
      return alterDatabase();
    }
    return principals.alter();
  }

  private Statement alterDatabase() throws SqlServerError {
    String name = tokens.accept("CURRENT") ? "" : tokens.expectName();
    tokens.expect("SET");
    String option = tokens.expectWord();
    String value = tokens.acceptOperator("=") ? Integer.toString(tokens.expectInteger()) : "";
    if (tokens.isWord("ON") || tokens.isWord("OFF")) {
      value = tokens.expectWord();
    } else if (option.equals("RECOVERY")) {
      value = tokens.expectWord();
    }
    if (tokens.accept("WITH")) {
      if (!tokens.accept("NO_WAIT")) {
        tokens.expect("ROLLBACK", "IMMEDIATE");
      }
    }
    return new Definition.AlterDatabase(name, option, value);
  }

  private Definition.Alteration alteration() throws SqlServerError {
    if (tokens.accept("ADD")) {
      List<Definition.ColumnDefinition> definitions = new ArrayList<>();
      List<Definition.Key> keys = new ArrayList<>();
      columns.elements(definitions, keys);
      return new Definition.AddColumns(definitions, keys);
    }
    if (tokens.accept("ALTER", "COLUMN")) {
      return alterColumn();
    }
    tokens.expect("DROP");
    if (tokens.accept("CONSTRAINT")) {
      boolean ifExists = tokens.accept("IF", "EXISTS");
      return new Definition.DropConstraint(tokens.expectName(), ifExists);
    }
    tokens.expect("COLUMN");
    boolean ifExists = tokens.accept("IF", "EXISTS");
    List<String> names = new ArrayList<>();
    do {
      names.add(tokens.expectName());
    } while (tokens.acceptOperator(","));
    return new Definition.DropColumns(names, ifExists);
  }

  private Definition.Alteration alterColumn() throws SqlServerError {
    String column = tokens.expectName();
    DataType type = new TypeParser(tokens).parse(1);
    if (tokens.accept("COLLATE")) {
      type =
          new DataType(
              type.name(), type.length(), type.precision(), type.scale(), tokens.expectName());
    }
    @Nullable Boolean nullable = null;
    if (tokens.accept("NOT", "NULL")) {
      nullable = false;
    } else if (tokens.accept("NULL")) {
      nullable = true;
    }
    return new Definition.AlterColumn(column, type, nullable);
  }

  private Statement drop() throws SqlServerError {
    if (tokens.accept("TABLE")) {
      boolean ifExists = tokens.accept("IF", "EXISTS");
      List<List<String>> names = new ArrayList<>();
      do {
        names.add(tokens.expectQualifiedName());
      } while (tokens.acceptOperator(","));
      return new Definition.DropTable(names, ifExists);
    }
    if (tokens.accept("DATABASE")) {
      boolean ifExists = tokens.accept("IF", "EXISTS");
      List<String> names = new ArrayList<>();
      do {
        names.add(tokens.expectName());
      } while (tokens.acceptOperator(","));
      return new Definition.DropDatabase(names, ifExists);
    }
    if (tokens.accept("SCHEMA")) {
      boolean ifExists = tokens.accept("IF", "EXISTS");
      return new Definition.DropSchema(tokens.expectName(), ifExists);
    }
    if (tokens.accept("INDEX")) {
      boolean ifExists = tokens.accept("IF", "EXISTS");
      String name = tokens.expectName();
      tokens.expect("ON");
      return new Definition.DropIndex(name, tokens.expectQualifiedName(), ifExists);
    }
    return principals.drop();
  }
}
