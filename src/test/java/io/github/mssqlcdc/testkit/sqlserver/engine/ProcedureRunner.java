package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.TextOrder;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Statement;
import io.github.mssqlcdc.testkit.sqlserver.tsql.TSql;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls system procedures: those of the database, and a few that every server has. */
final class ProcedureRunner {
  private static final Set<String> SCHEMAS = Set.of("", "sys", "dbo");

  private final Session session;
  private final ResponseSink out;

  ProcedureRunner(Session session, ResponseSink out) {
    this.session = session;
    this.out = out;
  }

  /**
   * @param name with {@code @}; null for a positional argument
   */
  record Argument(@Nullable String name, @Nullable Object value) {}

  /** Returns the return code. */
  int call(List<String> name, List<Argument> arguments) throws SqlServerError {
    String last = name.get(name.size() - 1).toLowerCase(Locale.ROOT);
    String schema = name.size() < 2 ? "" : name.get(name.size() - 2);
    Database database = database(name);
    TextOrder names = database.catalog().names();
    if (SCHEMAS.stream().noneMatch(known -> names.same(known, schema))
        || !names.same(name.get(name.size() - 1), last)) {
      throw unknown(name);
    }
    if (last.equals("sp_executesql")) {
      executeSql(arguments);
      return 0;
    }
    if (last.equals("sp_unprepare")) {
      return 0;
    }
    SystemProcedure procedure = find(database, last).orElseThrow(() -> unknown(name));
    return procedure.call(new CallerContext(session, database), named(procedure, arguments), out);
  }

  private Optional<SystemProcedure> find(Database database, String name) {
    return switch (name) {
      case "sp_spaceused" -> Optional.of(new SpaceUsed(session));
      case "sp_rename" -> Optional.of(new Rename(session));
      case "sp_configure" -> Optional.of(session.engine().configuration());
      default -> CatalogProcedure.find(name, session).or(() -> database.procedure(name));
    };
  }

  private Database database(List<String> name) throws SqlServerError {
    if (name.size() < 3) {
      return session.current();
    }
    String wanted = name.get(name.size() - 3);
    Database database = session.engine().databases().find(wanted).orElseThrow(() -> unknown(name));
    CommandRunner.requireAccess(session, database);
    return database;
  }

  private static SqlServerError unknown(List<String> name) {
    return new SqlServerError(
        2812, 16, 62, "Could not find stored procedure '" + String.join(".", name) + "'.");
  }

  private static Map<String, @Nullable Object> named(
      SystemProcedure procedure, List<Argument> arguments) throws SqlServerError {
    Map<String, @Nullable Object> named = new LinkedHashMap<>();
    List<String> parameters = procedure.parameters();
    for (int i = 0; i < arguments.size(); i++) {
      Argument argument = arguments.get(i);
      if (argument.name() == null && i >= parameters.size()) {
        throw new SqlServerError(
            8144,
            16,
            2,
            "Procedure or function " + procedure.name() + " has too many arguments specified.");
      }
      named.put(
          argument.name() == null ? parameters.get(i) : parameter(procedure, argument.name()),
          argument.value());
    }
    return named;
  }

  private static String parameter(SystemProcedure procedure, String name) throws SqlServerError {
    for (String parameter : procedure.parameters()) {
      if (parameter.equalsIgnoreCase(name)) {
        return parameter;
      }
    }
    throw new SqlServerError(
        8145, 16, 1, name + " is not a parameter for procedure " + procedure.name() + ".");
  }

  /** Its parameters are variables of its own; SET options end with it. */
  private void executeSql(List<Argument> arguments) throws SqlServerError {
    String sql = String.valueOf(arguments.get(0).value());
    Variables variables = new Variables(session.engine().databases().names());
    if (arguments.size() > 1) {
      List<Statement.Declare> declared =
          TSql.parseDeclarations(String.valueOf(arguments.get(1).value()));
      for (int i = 0; i < declared.size(); i++) {
        Argument given = i + 2 < arguments.size() ? arguments.get(i + 2) : new Argument(null, null);
        Statement.Declare parameter = declared.get(i);
        variables.declare(
            parameter.variable(),
            parameter.type(),
            Arguments.convert(given.value(), parameter.type()));
      }
    }
    new RequestRunner(session)
        .isolated(() -> new Interpreter(session, variables, out).batch(TSql.parse(sql)), out);
  }
}
