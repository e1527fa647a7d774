package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One call of a function with what its rule needs. */
final class FunctionCall {
  private final Expression.Call call;
  private final Scope scope;
  private final Translation translation;

  FunctionCall(Expression.Call call, Scope scope, Translation translation) {
    this.call = call;
    this.scope = scope;
    this.translation = translation;
  }

  String name() {
    return call.name().get(call.name().size() - 1);
  }

  Expression.Call syntax() {
    return call;
  }

  Scope scope() {
    return scope;
  }

  Translation translation() {
    return translation;
  }

  Environment environment() {
    return translation.environment();
  }

  int count() {
    return call.arguments().size();
  }

  void require(int least, int most) throws SqlServerError {
    if (count() < least || count() > most) {
      throw new SqlServerError(
          174,
          15,
          1,
          "The "
              + name().toLowerCase(Locale.ROOT)
              + " function requires "
              + least
              + " argument(s).");
    }
  }

  Typed argument(int index) throws SqlServerError {
    return translation.expressions().translate(call.arguments().get(index), scope);
  }

  Typed argument(int index, DataType type) throws SqlServerError {
    return translation.coercion().implicit(argument(index), type);
  }

  /** A string stays what it is; anything else becomes one. */
  Typed text(int index) throws SqlServerError {
    Typed argument = argument(index);
    return Types.isCharacter(argument.type()) && !argument.isNullLiteral()
        ? argument
        : translation
            .coercion()
            .cast(
                argument,
                DataType.of(io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName.VARCHAR, 8000),
                0);
  }

  /** All arguments, translated. */
  List<Typed> arguments() throws SqlServerError {
    List<Typed> arguments = new ArrayList<>();
    for (int i = 0; i < count(); i++) {
      arguments.add(argument(i));
    }
    return arguments;
  }

  /** A bare word, such as a date part. */
  String word(int index) throws SqlServerError {
    if (call.arguments().get(index) instanceof Expression.Name name && name.parts().size() == 1) {
      return name.parts().get(0);
    }
    throw new SqlServerError(
        1023, 15, 1, "Invalid parameter " + (index + 1) + " specified for " + name() + ".");
  }

  /**
   * A text that must be known before the statement runs; null for NULL.
   *
   * @throws SqlServerError if it depends on rows: SQL Server could do it, the stand-in can't
   */
  @Nullable String constantText(int index) throws SqlServerError {
    Typed typed = argument(index, Types.NVARCHAR_MAX);
    if (typed.constant() == null) {
      throw Errors.badSyntax(name());
    }
    return (String) typed.constant().value();
  }

  /** A call of H2's function or of one of ours. */
  Typed call(String function, DataType type, Typed... arguments) {
    List<String> sql = new ArrayList<>();
    boolean nullable = false;
    for (Typed argument : arguments) {
      sql.add(translation.sql(argument));
      nullable |= argument.nullable();
    }
    return Typed.of(function + "(" + String.join(", ", sql) + ")", type, nullable);
  }

  /** A call whose result H2 may type otherwise. */
  Typed castCall(String function, DataType type, Typed... arguments) {
    Typed call = call(function, type, arguments);
    return Typed.of("CAST(" + call.text() + " AS " + Types.h2(type) + ")", type, call.nullable());
  }

  static String own(String function) {
    return "\"tsql\".\"x_" + function + "\"";
  }
}
