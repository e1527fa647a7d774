package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import io.github.mssqlcdc.testkit.sqlserver.tsql.TSql;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Functions of the catalogue, the session and the server. */
final class SystemFunctions {
  private SystemFunctions() {}

  static Map<String, FunctionRule> rules() {
    Map<String, FunctionRule> rules = new HashMap<>();
    rules.put("DB_NAME", SystemFunctions::databaseName);
    rules.put("DB_ID", SystemFunctions::databaseId);
    rules.put("OBJECT_ID", SystemFunctions::objectId);
    rules.put("OBJECT_NAME", call -> ofTable(call, Table::name));
    rules.put("OBJECT_SCHEMA_NAME", call -> ofTable(call, Table::schema));
    rules.put("SCHEMA_NAME", SystemFunctions::schemaName);
    rules.put("SCHEMA_ID", SystemFunctions::schemaId);
    rules.put("SERVERPROPERTY", ServerProperties::translate);
    rules.put("DATABASEPROPERTYEX", SystemFunctions::databaseProperty);
    rules.put("COLLATIONPROPERTY", SystemFunctions::collationProperty);
    rules.put("HAS_PERMS_BY_NAME", SystemFunctions::hasPermissions);
    rules.put("IS_MEMBER", SystemFunctions::isMember);
    rules.put("IS_ROLEMEMBER", SystemFunctions::isMember);
    for (String name : List.of("SUSER_SNAME", "SUSER_NAME", "SYSTEM_USER", "ORIGINAL_LOGIN")) {
      rules.put(name, call -> name(call, call.environment().login()));
    }
    for (String name : List.of("USER_NAME", "CURRENT_USER", "SESSION_USER", "USER")) {
      rules.put(name, call -> name(call, call.environment().user()));
    }
    return rules;
  }

  private static Typed name(FunctionCall call, @Nullable String value) throws SqlServerError {
    call.require(0, 0);
    return Typed.bound(value, Types.SYSNAME);
  }

  private static Typed databaseName(FunctionCall call) throws SqlServerError {
    return name(call, call.environment().databaseName());
  }

  private static Typed databaseId(FunctionCall call) throws SqlServerError {
    call.require(0, 1);
    String name = call.count() == 0 ? call.environment().databaseName() : call.constantText(0);
    Integer id = name == null ? null : call.environment().databaseId(name);
    return Typed.bound(id, DataType.of(SqlTypeName.INT));
  }

  /** SQL Server's result is a sql_variant; here it is the type inside it. */
  private static Typed databaseProperty(FunctionCall call) throws SqlServerError {
    call.require(2, 2);
    String name = call.constantText(0);
    boolean here = call.environment().databaseName().equalsIgnoreCase(String.valueOf(name));
    if (!here || !"Collation".equalsIgnoreCase(call.constantText(1))) {
      return Typed.bound(null, Types.SYSNAME);
    }
    return Typed.bound(call.environment().catalog().collation(), Types.SYSNAME);
  }

  private static Typed collationProperty(FunctionCall call) throws SqlServerError {
    call.require(2, 2);
    return "CodePage".equalsIgnoreCase(call.constantText(1))
        ? call.call(FunctionCall.own("codePageOf"), Types.INT, call.text(0))
        : Typed.bound(null, Types.INT);
  }

  private static Typed objectId(FunctionCall call) throws SqlServerError {
    call.require(1, 2);
    String name = call.constantText(0);
    String type = call.count() == 2 ? call.constantText(1) : "U";
    Optional<Table> table = find(call.environment(), name);
    boolean wanted = type != null && type.strip().equalsIgnoreCase("U");
    return Typed.bound(wanted ? table.map(Table::objectId).orElse(null) : null, Types.INT);
  }

  /** A table by a name in one string; empty if there is none or the string is no name. */
  private static Optional<Table> find(Environment environment, @Nullable String name) {
    if (name == null) {
      return Optional.empty();
    }
    try {
      List<String> parts = TSql.parseName(name);
      boolean here =
          parts.size() < 3
              || (parts.size() == 3 && parts.get(0).equalsIgnoreCase(environment.databaseName()));
      String schema = parts.size() == 1 ? "dbo" : parts.get(parts.size() - 2);
      return here
          ? environment
              .catalog()
              .table(schema.isEmpty() ? "dbo" : schema, parts.get(parts.size() - 1))
          : Optional.empty();
    } catch (SqlServerError e) {
      return Optional.empty();
    }
  }

  /** A property of this database's table with this object id, which may come from a row. */
  private static Typed ofTable(FunctionCall call, Function<Table, String> property)
      throws SqlServerError {
    call.require(1, 2);
    Typed id = call.argument(0, Types.INT);
    StringBuilder sql = new StringBuilder("CASE ").append(call.translation().sql(id));
    if (call.count() == 2) {
      Integer here = call.environment().databaseId(call.environment().databaseName());
      String asked = call.translation().sql(call.argument(1, Types.INT));
      sql.append(" WHEN CASE WHEN ").append(asked).append(" = ").append(here);
      sql.append(" THEN NULL ELSE ").append(call.translation().sql(id)).append(" END THEN NULL");
    }
    for (Table table : call.environment().catalog().tables()) {
      when(sql, table.objectId(), property.apply(table));
    }
    return choice(sql);
  }

  private static void when(StringBuilder sql, int id, String name) {
    sql.append(" WHEN ").append(id).append(" THEN '").append(name.replace("'", "''")).append('\'');
  }

  private static Typed choice(StringBuilder sql) {
    String text = sql.append(" WHEN -1 THEN NULL ELSE NULL END").toString();
    return Typed.of("CAST(" + text + " AS VARCHAR)", Types.SYSNAME, true);
  }

  private static Typed schemaName(FunctionCall call) throws SqlServerError {
    call.require(0, 1);
    if (call.count() == 0) {
      return Typed.bound("dbo", Types.SYSNAME);
    }
    StringBuilder sql =
        new StringBuilder("CASE ").append(call.translation().sql(call.argument(0, Types.INT)));
    call.environment().catalog().schemas().forEach((name, id) -> when(sql, id, name));
    return choice(sql);
  }

  private static Typed schemaId(FunctionCall call) throws SqlServerError {
    call.require(0, 1);
    String name = call.count() == 0 ? "dbo" : call.constantText(0);
    int id = name == null ? 0 : call.environment().catalog().schemaId(name);
    return Typed.bound(id == 0 ? null : id, Types.INT);
  }

  private static Typed isMember(FunctionCall call) throws SqlServerError {
    call.require(1, 1);
    String role = call.constantText(0);
    if (role == null || !call.environment().catalog().security().isRole(role)) {
      return Typed.bound(null, Types.INT);
    }
    boolean member =
        call.environment().roles().stream().anyMatch(name -> name.equalsIgnoreCase(role));
    return Typed.bound(member ? 1 : 0, Types.INT);
  }

  private static Typed hasPermissions(FunctionCall call) throws SqlServerError {
    call.require(3, 5);
    String name = call.constantText(0);
    String kind = call.constantText(1);
    String permission = call.constantText(2);
    if (permission == null) {
      return Typed.bound(null, Types.INT);
    }
    String wanted = permission.strip().toUpperCase(Locale.ROOT);
    if (kind == null || kind.equalsIgnoreCase("DATABASE") || kind.equalsIgnoreCase("SERVER")) {
      return Typed.bound(call.environment().holds(wanted, null) ? 1 : 0, Types.INT);
    }
    if (!kind.equalsIgnoreCase("OBJECT")) {
      throw Errors.badSyntax(kind);
    }
    Optional<Table> table = find(call.environment(), name);
    if (table.isEmpty()) {
      return Typed.bound(null, Types.INT);
    }
    return call.count() == 5
        ? hasPermissionOnColumn(call, wanted, table.get())
        : Typed.bound(call.environment().holds(wanted, table.get()) ? 1 : 0, Types.INT);
  }

  /** The column may differ from row to row. */
  private static Typed hasPermissionOnColumn(FunctionCall call, String permission, Table table)
      throws SqlServerError {
    if (!"COLUMN".equalsIgnoreCase(call.constantText(4))) {
      throw Errors.badSyntax(call.name());
    }
    String asked = call.translation().sql(call.text(3));
    StringBuilder answer = new StringBuilder("CASE ").append(asked);
    for (Table.Column column : table.columns()) {
      String name = call.translation().sql(Typed.bound(column.name(), Types.NVARCHAR_MAX));
      boolean holds = call.environment().holds(permission, table, column.name());
      answer.append(" WHEN ").append(name).append(" THEN ").append(holds ? 1 : 0);
    }
    return Typed.of(answer.append(" END").toString(), Types.INT, true);
  }
}
