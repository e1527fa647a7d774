package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.TextOrder;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Function calls, by the rule of their name. */
final class CallTranslator {
  private static final Map<String, FunctionRule> BUILT_IN = builtIn();
  private static final Map<String, FunctionRule> SYSTEM = Map.copyOf(CdcFunctions.rules());

  private final Translation translation;

  CallTranslator(Translation translation) {
    this.translation = translation;
  }

  private static Map<String, FunctionRule> builtIn() {
    Map<String, FunctionRule> rules = new HashMap<>();
    rules.putAll(TextFunctions.rules());
    rules.putAll(DateFunctions.rules());
    rules.putAll(ValueFunctions.rules());
    rules.putAll(SystemFunctions.rules());
    rules.putAll(Aggregates.rules());
    return Map.copyOf(rules);
  }

  Typed translate(Expression.Call call, Scope scope) throws SqlServerError {
    List<String> name = call.name();
    String last = name.get(name.size() - 1).toUpperCase(Locale.ROOT);
    FunctionRule rule = name.size() == 1 ? BUILT_IN.get(last) : systemRule(name, last);
    if (rule == null) {
      throw name.size() == 1 ? Errors.unknownFunction(name.get(0)) : unknown(name);
    }
    return rule.translate(new FunctionCall(call, scope, translation));
  }

  private FunctionRule systemRule(List<String> name, String last) {
    TextOrder names = translation.names();
    boolean sys = names.same(name.get(name.size() - 2), "sys");
    boolean spelt = names.same(name.get(name.size() - 1), last.toLowerCase(Locale.ROOT));
    boolean here =
        name.size() == 2 || name.get(0).equalsIgnoreCase(translation.environment().databaseName());
    return sys && spelt && here && name.size() <= 3 ? SYSTEM.get(last) : null;
  }

  private static SqlServerError unknown(List<String> name) {
    String full = String.join(".", name);
    return new SqlServerError(
        4121,
        16,
        1,
        "Cannot find either column \""
            + name.get(0)
            + "\" or the user-defined function or aggregate \""
            + full
            + "\", or the name is ambiguous.");
  }
}
