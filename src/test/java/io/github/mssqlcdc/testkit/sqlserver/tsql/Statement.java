package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement that changes no catalogue; those that do are in {@link Definition}. */
public sealed interface Statement permits Statement.Control, Statement.Data, Definition {

  /** Flow, variables, options, transactions, calls. */
  sealed interface Control extends Statement {}

  /** Reads or changes rows. */
  sealed interface Data extends Statement {}

  record Block(List<Statement> statements) implements Control {}

  record If(Condition condition, Statement then, @Nullable Statement otherwise)
      implements Control {}

  record While(Condition condition, Statement body) implements Control {}

  record Break() implements Control {}

  record Continue() implements Control {}

  record Return(@Nullable Expression status) implements Control {}

  record TryCatch(List<Statement> body, List<Statement> handler) implements Control {}

  record Declare(String variable, DataType type, @Nullable Expression initial) implements Control {}

  record SetVariable(String variable, Expression value) implements Control {}

  /**
   * {@code SET NOCOUNT ON} and the like.
   *
   * @param value upper case word or number
   */
  record SetOption(String option, String value) implements Control {}

  record SetIdentityInsert(List<String> table, boolean on) implements Control {}

  record SetIsolation(String level) implements Control {}

  record Print(Expression message) implements Control {}

  record RaiseError(
      Expression message, Expression severity, Expression state, List<Expression> arguments)
      implements Control {}

  /** Number, message and state; all null to throw again what was caught. */
  record Throw(
      @Nullable Expression number, @Nullable Expression message, @Nullable Expression state)
      implements Control {}

  record WaitFor(Expression delay) implements Control {}

  record Reconfigure() implements Control {}

  record Use(String database) implements Control {}

  record BeginTransaction(@Nullable String name) implements Control {}

  record Commit() implements Control {}

  record Rollback(@Nullable String name) implements Control {}

  record Save(String name) implements Control {}

  /**
   * EXEC of a procedure.
   *
   * @param status variable that takes the return code; null: none
   */
  record Execute(@Nullable String status, List<String> procedure, List<Argument> arguments)
      implements Control {}

  /**
   * @param name null for a positional argument
   * @param value {@link Expression.Default} for DEFAULT
   */
  record Argument(@Nullable String name, Expression value, boolean output) {}

  /** {@code EXEC (N'…')}. */
  record ExecuteText(Expression text) implements Control {}

  record Select(Query query) implements Data {}

  /**
   * @param columns empty: all
   * @param source null: DEFAULT VALUES
   */
  record Insert(List<String> table, List<String> columns, @Nullable Source source)
      implements Data {}

  sealed interface Source {}

  record Rows(List<List<Expression>> rows) implements Source {}

  record FromQuery(Query query) implements Source {}

  record Update(List<String> table, List<Assignment> assignments, @Nullable Condition where)
      implements Data {}

  record Assignment(String column, Expression value) {}

  record Delete(List<String> table, @Nullable Condition where) implements Data {}

  record Truncate(List<String> table) implements Data {}
}
