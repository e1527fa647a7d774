package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.TextOrder;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Scalar expressions. */
final class ExpressionTranslator {
  private final Translation translation;
  private final ConditionTranslator conditions;
  private final CallTranslator calls;

  ExpressionTranslator(Translation translation) {
    this.translation = translation;
    this.conditions = new ConditionTranslator(translation, this);
    this.calls = new CallTranslator(translation);
  }

  ConditionTranslator conditions() {
    return conditions;
  }

  Typed translate(Expression expression, Scope scope) throws SqlServerError {
    if (scope.isGrouped() && scope.isGroup(expression)) {
      scope.enterAggregate();
      try {
        return Scope.ofGroup(untested(expression, scope));
      } finally {
        scope.leaveAggregate();
      }
    }
    return untested(expression, scope);
  }

  private Typed untested(Expression expression, Scope scope) throws SqlServerError {
    if (expression instanceof Expression.Name name) {
      return scope.resolve(name.parts());
    }
    if (expression instanceof Expression.Variable variable) {
      return translation.environment().variable(variable.name());
    }
    if (expression instanceof Expression.GlobalVariable global) {
      return translation
          .environment()
          .global(global.name())
          .orElseThrow(() -> Errors.badSyntax(global.name()));
    }
    if (expression instanceof Expression.Binary binary) {
      Typed left = translate(binary.left(), scope);
      Typed right = translate(binary.right(), scope);
      return translation.arithmetic().binary(binary.operator(), left, right);
    }
    if (expression instanceof Expression.Unary unary) {
      return translation.arithmetic().unary(unary.operator(), translate(unary.operand(), scope));
    }
    if (expression instanceof Expression.Cast cast) {
      return cast(cast, scope);
    }
    if (expression instanceof Expression.Case choice) {
      return choice(choice, scope);
    }
    if (expression instanceof Expression.Call call) {
      return calls.translate(call, scope);
    }
    if (expression instanceof Expression.Subquery subquery) {
      return subquery(subquery, scope);
    }
    if (expression instanceof Expression.Collate collate) {
      return collate(collate, scope);
    }
    return literal(expression);
  }

  private Typed collate(Expression.Collate collate, Scope scope) throws SqlServerError {
    String collation = TextOrder.require(collate.collation()).collation().name();
    Typed operand = translate(collate.operand(), scope);
    if (!Types.isCharacter(operand.type())) {
      throw new SqlServerError(
          447,
          16,
          0,
          "Expression type "
              + Types.baseName(operand.type())
              + " is invalid for COLLATE clause.");
    }
    DataType type = Types.collated(operand.type(), collation);
    return new Typed(operand.text(), type, operand.nullable(), operand.constant());
  }

  private Typed literal(Expression expression) throws SqlServerError {
    if (expression instanceof Expression.NullLiteral) {
      return Typed.nullLiteral();
    }
    if (expression instanceof Expression.StringLiteral string) {
      SqlTypeName name = string.unicode() ? SqlTypeName.NVARCHAR : SqlTypeName.VARCHAR;
      int length = Math.max(1, string.value().length());
      boolean max = length > (string.unicode() ? 4000 : 8000);
      DataType type = DataType.of(name, max ? DataType.MAX : length);
      String value = string.value();
      return Typed.literal(
          string.unicode() ? value : translation.ordering().order(type).inCodePage(value), type);
    }
    if (expression instanceof Expression.BinaryLiteral binary) {
      String hex = binary.hex().length() % 2 == 0 ? binary.hex() : "0" + binary.hex();
      byte[] bytes = HexFormat.of().parseHex(hex);
      return Typed.literal(bytes, DataType.of(SqlTypeName.VARBINARY, Math.max(1, bytes.length)));
    }
    if (expression instanceof Expression.NumberLiteral number) {
      return number(number.text());
    }
    throw new SqlServerError(156, 15, 1, "Incorrect syntax near the keyword 'DEFAULT'.");
  }

  private static Typed number(String text) {
    if (text.contains("e") || text.contains("E")) {
      return Typed.literal(Double.valueOf(text), Types.FLOAT);
    }
    BigDecimal value = new BigDecimal(text);
    if (!text.contains(".") && value.compareTo(BigDecimal.valueOf(value.intValue())) == 0) {
      return Typed.literal(value.intValue(), Types.INT);
    }
    int scale = Math.max(0, value.scale());
    int precision = Math.max(value.precision(), scale);
    return Typed.literal(value, new DataType(SqlTypeName.NUMERIC, 0, precision, scale, null));
  }

  private Typed cast(Expression.Cast cast, Scope scope) throws SqlServerError {
    Typed operand = translate(cast.operand(), scope);
    int style = 0;
    if (cast.style() != null) {
      Typed typed = translation.coercion().implicit(translate(cast.style(), scope), Types.INT);
      if (typed.constant() == null || !(typed.constant().value() instanceof Integer number)) {
        throw Errors.badSyntax("style");
      }
      style = number;
    }
    return cast.lenient()
        ? translation.coercion().tryCast(operand, cast.type(), style)
        : translation.coercion().cast(operand, cast.type(), style);
  }

  private Typed choice(Expression.Case choice, Scope scope) throws SqlServerError {
    List<String> tests = new ArrayList<>();
    List<Typed> results = new ArrayList<>();
    for (Expression.When when : choice.whens()) {
      tests.add(conditions.translate(when.condition(), scope));
      results.add(translate(when.result(), scope));
    }
    results.add(
        choice.otherwise() == null ? Typed.nullLiteral() : translate(choice.otherwise(), scope));
    List<Typed> same = unify(results);
    StringBuilder sql = new StringBuilder("CASE");
    for (int i = 0; i < tests.size(); i++) {
      sql.append(" WHEN ").append(tests.get(i));
      sql.append(" THEN ").append(translation.sql(same.get(i)));
    }
    sql.append(" ELSE ").append(translation.sql(same.get(tests.size()))).append(" END");
    boolean nullable = same.stream().anyMatch(Typed::nullable);
    return Typed.of(sql.toString(), same.get(0).type(), nullable);
  }

  /** All of them in their common type. */
  List<Typed> unify(List<Typed> values) throws SqlServerError {
    DataType common = null;
    for (Typed value : values) {
      if (!value.isNullLiteral()) {
        common = common == null ? value.type() : Types.common(common, value.type());
      }
    }
    DataType target = common == null ? Types.INT : common;
    List<Typed> unified = new ArrayList<>();
    for (Typed value : values) {
      unified.add(translation.coercion().implicit(value, target));
    }
    return unified;
  }

  private Typed subquery(Expression.Subquery subquery, Scope scope) throws SqlServerError {
    Translated query = translation.queries().translate(subquery.query(), scope);
    if (query.columns().size() != 1) {
      throw new SqlServerError(
          116,
          16,
          1,
          "Only one expression can be specified in the select list when the subquery is not"
              + " introduced with EXISTS.");
    }
    return Typed.of("(" + query.sql() + ")", query.columns().get(0).type(), true);
  }
}
