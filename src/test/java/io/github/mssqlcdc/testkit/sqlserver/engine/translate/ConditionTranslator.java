package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Condition;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import java.util.ArrayList;
import java.util.List;

/** Search conditions. */
final class ConditionTranslator {
  private final Translation translation;
  private final ExpressionTranslator expressions;

  ConditionTranslator(Translation translation, ExpressionTranslator expressions) {
    this.translation = translation;
    this.expressions = expressions;
  }

  String translate(Condition condition, Scope scope) throws SqlServerError {
    if (condition instanceof Condition.And and) {
      return "(" + translate(and.left(), scope) + " AND " + translate(and.right(), scope) + ")";
    }
    if (condition instanceof Condition.Or or) {
      return "(" + translate(or.left(), scope) + " OR " + translate(or.right(), scope) + ")";
    }
    if (condition instanceof Condition.Not not) {
      return "(NOT " + translate(not.operand(), scope) + ")";
    }
    if (condition instanceof Condition.Comparison comparison) {
      return compare(
          comparison.operator(),
          expressions.translate(comparison.left(), scope),
          expressions.translate(comparison.right(), scope));
    }
    if (condition instanceof Condition.Exists exists) {
      return "EXISTS (" + translation.queries().translate(exists.query(), scope).sql() + ")";
    }
    return predicate(condition, scope);
  }

  private String predicate(Condition condition, Scope scope) throws SqlServerError {
    if (condition instanceof Condition.IsNull isNull) {
      return "(" + sql(isNull.operand(), scope) + " IS NULL)";
    }
    if (condition instanceof Condition.Between between) {
      Typed operand = expressions.translate(between.operand(), scope);
      Typed low = expressions.translate(between.low(), scope);
      Typed high = expressions.translate(between.high(), scope);
      return "(" + compare(">=", operand, low) + " AND " + compare("<=", operand, high) + ")";
    }
    if (condition instanceof Condition.InList in) {
      return inList(in, scope);
    }
    if (condition instanceof Condition.InQuery in) {
      return inQuery(in, scope);
    }
    return like((Condition.Like) condition, scope);
  }

  private String sql(Expression expression, Scope scope) throws SqlServerError {
    return translation.sql(expressions.translate(expression, scope));
  }

  private String inList(Condition.InList in, Scope scope) throws SqlServerError {
    Typed operand = expressions.translate(in.operand(), scope);
    List<String> tests = new ArrayList<>();
    for (Expression value : in.values()) {
      tests.add(compare("=", operand, expressions.translate(value, scope)));
    }
    return "(" + String.join(" OR ", tests) + ")";
  }

  private String inQuery(Condition.InQuery in, Scope scope) throws SqlServerError {
    Typed operand = expressions.translate(in.operand(), scope);
    Translated query = translation.queries().translate(in.query(), scope);
    if (query.columns().size() != 1) {
      throw new SqlServerError(
          116,
          16,
          1,
          "Only one expression can be specified in the select list when the subquery is not"
              + " introduced with EXISTS.");
    }
    Output column = query.columns().get(0);
    String alias = translation.alias();
    Typed member = Typed.of(alias + ".C1", column.type(), column.nullable());
    List<Typed> pair = comparable(operand, member);
    DataType type = shared(pair);
    return "("
        + comparand(pair.get(0), type)
        + " IN (SELECT "
        + comparand(pair.get(1), type)
        + " FROM ("
        + query.sql()
        + ") AS "
        + alias
        + "))";
  }

  private String like(Condition.Like like, Scope scope) throws SqlServerError {
    DataType text = DataType.of(SqlTypeName.NVARCHAR, DataType.MAX);
    Coercion coercion = translation.coercion();
    Typed left = expressions.translate(like.operand(), scope);
    Typed right = expressions.translate(like.pattern(), scope);
    DataType compared = translation.ordering().shared(left.type(), right.type());
    boolean ignoresCase = translation.ordering().order(compared).collation().ignoresCase();
    Typed operand = coercion.implicit(left, text);
    Typed pattern = coercion.implicit(right, text);
    String escape = like.escape() == null ? "''" : sql(like.escape(), scope);
    return "\"tsql\".\"x_like\"("
        + translation.sql(operand)
        + ", "
        + translation.sql(pattern)
        + ", "
        + escape
        + ", "
        + ignoresCase
        + ")";
  }

  String compare(String operator, Typed left, Typed right) throws SqlServerError {
    List<Typed> pair = comparable(left, right);
    DataType type = shared(pair);
    return "("
        + comparand(pair.get(0), type)
        + " "
        + operator
        + " "
        + comparand(pair.get(1), type)
        + ")";
  }

  /** Both in types that H2 compares as SQL Server would; columns stay bare where that is safe. */
  private List<Typed> comparable(Typed left, Typed right) throws SqlServerError {
    if (left.isNullLiteral() || right.isNullLiteral()) {
      return expressions.unify(List.of(left, right));
    }
    DataType a = left.type();
    DataType b = right.type();
    refuseLargeObjects(a);
    refuseLargeObjects(b);
    boolean numbers = Types.isNumber(a) && Types.isNumber(b) && isBit(a) == isBit(b);
    boolean texts = Types.isCharacter(a) && Types.isCharacter(b);
    boolean binaries = Types.isBinary(a) && Types.isBinary(b);
    if (numbers || texts || binaries || a.name() == b.name()) {
      return List.of(left, right);
    }
    DataType common = Types.common(a, b);
    return List.of(
        translation.coercion().implicit(left, common),
        translation.coercion().implicit(right, common));
  }

  private static void refuseLargeObjects(DataType type) throws SqlServerError {
    switch (type.name()) {
      case TEXT, NTEXT, IMAGE ->
          throw new SqlServerError(
              402,
              16,
              1,
              "The data types "
                  + Types.baseName(type)
                  + " and varchar are incompatible in the equal to operator.");
      case XML -> throw Errors.clash("xml", "xml");
      default -> {}
    }
  }

  private static boolean isBit(DataType type) {
    return type.name() == SqlTypeName.BIT;
  }

  private DataType shared(List<Typed> pair) throws SqlServerError {
    return translation.ordering().shared(pair.get(0).type(), pair.get(1).type());
  }

  private String comparand(Typed value, DataType as) {
    DataType type = Types.collated(value.type(), as.collation());
    return translation.ordering().key(translation.sql(value), type);
  }
}
