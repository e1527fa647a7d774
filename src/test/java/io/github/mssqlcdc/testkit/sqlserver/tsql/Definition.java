package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A statement that changes the catalogue: objects, principals, grants. */
public sealed interface Definition extends Statement {

  record CreateDatabase(String name, @Nullable String collation) implements Definition {}

  record DropDatabase(List<String> names, boolean ifExists) implements Definition {}

  /**
   * {@code ALTER DATABASE x SET option value}.
   *
   * @param name empty for CURRENT
   * @param value empty if the option has none
   */
  record AlterDatabase(String name, String option, String value) implements Definition {}

  record CreateSchema(String name) implements Definition {}

  record DropSchema(String name, boolean ifExists) implements Definition {}

  record CreateTable(List<String> name, List<ColumnDefinition> columns, List<Key> keys)
      implements Definition {}

  /** CREATE TYPE … FROM: another name for a system type. */
  record CreateType(List<String> name, DataType base, boolean nullable) implements Definition {}

  /**
   * @param type null where a name stands for it, or the column is computed
   * @param typeName name of an alias type, {@code sysname} for that one; null: a system type
   * @param computed expression of a computed column; then the type has no meaning
   * @param nullable null: not said
   */
  record ColumnDefinition(
      String name,
      @Nullable DataType type,
      @Nullable List<String> typeName,
      @Nullable String collation,
      @Nullable Boolean nullable,
      @Nullable Identity identity,
      @Nullable DefaultValue defaultValue,
      @Nullable Expression computed,
      List<Key> keys) {}

  record Identity(long seed, long increment) {}

  /**
   * @param constraint null: SQL Server makes a name up
   */
  record DefaultValue(@Nullable String constraint, Expression expression) {}

  /**
   * A primary key or unique constraint.
   *
   * @param name null: SQL Server makes a name up
   */
  record Key(@Nullable String name, boolean primary, boolean clustered, List<String> columns) {}

  record DropTable(List<List<String>> names, boolean ifExists) implements Definition {}

  /**
   * ALTER TABLE.
   *
   * @param text the statement as written
   */
  record AlterTable(List<String> table, Alteration change, String text) implements Definition {}

  sealed interface Alteration {}

  record AddColumns(List<ColumnDefinition> columns, List<Key> keys) implements Alteration {}

  record DropColumns(List<String> columns, boolean ifExists) implements Alteration {}

  record DropConstraint(String name, boolean ifExists) implements Alteration {}

  record AlterColumn(String column, DataType type, @Nullable Boolean nullable)
      implements Alteration {}

  record CreateIndex(
      String name, List<String> table, boolean unique, boolean clustered, List<String> columns)
      implements Definition {}

  record DropIndex(String name, List<String> table, boolean ifExists) implements Definition {}

  record CreateLogin(String name, String password, @Nullable String defaultDatabase)
      implements Definition {}

  record DropLogin(String name) implements Definition {}

  /**
   * @param login null: without login
   */
  record CreateUser(String name, @Nullable String login) implements Definition {}

  record DropUser(String name, boolean ifExists) implements Definition {}

  record CreateRole(String name) implements Definition {}

  record DropRole(String name, boolean ifExists) implements Definition {}

  /**
   * @param server ALTER SERVER ROLE
   */
  record AlterRole(String role, String member, boolean add, boolean server) implements Definition {}

  /** GRANT, DENY or REVOKE. */
  record Permission(
      Verb verb,
      Set<String> permissions,
      List<String> columns,
      Securable on,
      List<String> principals)
      implements Definition {}

  enum Verb {
    GRANT,
    DENY,
    REVOKE
  }

  /**
   * @param kind OBJECT, SCHEMA, DATABASE
   * @param name empty for the current database
   */
  record Securable(String kind, List<String> name) {}
}
