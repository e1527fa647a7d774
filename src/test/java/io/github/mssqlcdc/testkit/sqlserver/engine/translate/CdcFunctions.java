package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code sys.fn_cdc_*}, as queries on the tables of {@code cdc}. Open to everybody but for min LSN,
 * which is zero for an instance that the caller may not read. In a database without CDC the tables
 * are missing and the functions fail with 208 (inferred).
 */
final class CdcFunctions {
  private static final String ZERO = "X'00000000000000000000'";

  private CdcFunctions() {}

  static Map<String, FunctionRule> rules() {
    Map<String, FunctionRule> rules = new HashMap<>();
    rules.put("FN_CDC_GET_MAX_LSN", CdcFunctions::maxLsn);
    rules.put("FN_CDC_GET_MIN_LSN", CdcFunctions::minLsn);
    rules.put("FN_CDC_MAP_LSN_TO_TIME", CdcFunctions::lsnToTime);
    rules.put("FN_CDC_MAP_TIME_TO_LSN", CdcFunctions::timeToLsn);
    rules.put("FN_CDC_INCREMENT_LSN", call -> step(call, 1));
    rules.put("FN_CDC_DECREMENT_LSN", call -> step(call, -1));
    rules.put("FN_CDC_IS_BIT_SET", CdcFunctions::isBitSet);
    return rules;
  }

  private static String table(FunctionCall call, String name) throws SqlServerError {
    return call.environment()
        .catalog()
        .table("cdc", name)
        .map(Table::h2Name)
        .orElseThrow(() -> Errors.unknownObject("cdc." + name));
  }

  private static Typed maxLsn(FunctionCall call) throws SqlServerError {
    call.require(0, 0);
    String alias = call.translation().alias();
    String sql = "SELECT MAX(%s.\"start_lsn\") FROM %s AS %s";
    return lsn(sql.formatted(alias, table(call, "lsn_time_mapping"), alias));
  }

  private static Typed lsn(String query) {
    return Typed.of("CAST((" + query + ") AS BINARY(10))", Types.LSN, true);
  }

  private static Typed minLsn(FunctionCall call) throws SqlServerError {
    call.require(1, 1);
    Typed instance = call.argument(0, Types.SYSNAME);
    String alias = call.translation().alias();
    String sql =
        "SELECT %1$s.\"start_lsn\" FROM %2$s AS %1$s WHERE %1$s.\"capture_instance\" = %3$s%4$s"
            .formatted(
                alias,
                table(call, "change_tables"),
                call.translation().sql(instance),
                readable(call, alias));
    String least = "COALESCE((" + sql + "), " + ZERO + ")";
    return Typed.of("CAST(" + least + " AS BINARY(10))", Types.LSN, true);
  }

  /**
   * What db_owner is spared: SELECT on the captured columns, and the gating role if there is one.
   */
  private static String readable(FunctionCall call, String alias) throws SqlServerError {
    if (call.environment().isOwner()) {
      return "";
    }
    List<String> denied = new ArrayList<>(List.of("(-1, '')"));
    for (Table table : call.environment().catalog().tables()) {
      for (Table.Column column : table.columns()) {
        if (!call.environment().canSelect(table, column.name())) {
          denied.add("(" + table.objectId() + ", '" + column.name().replace("'", "''") + "')");
        }
      }
    }
    List<String> roles = new ArrayList<>(List.of("''"));
    call.environment().roles().forEach(role -> roles.add("'" + role.replace("'", "''") + "'"));
    String columns = call.translation().alias();
    return (" AND NOT EXISTS (SELECT 1 FROM %4$s AS %5$s WHERE %5$s.\"object_id\" ="
            + " %1$s.\"object_id\" AND (%1$s.\"source_object_id\", %5$s.\"column_name\") IN"
            + " (%2$s)) AND (%1$s.\"role_name\" IS NULL OR %1$s.\"role_name\" IN (%3$s))")
        .formatted(
            alias,
            String.join(", ", denied),
            String.join(", ", roles),
            table(call, "captured_columns"),
            columns);
  }

  private static Typed lsnToTime(FunctionCall call) throws SqlServerError {
    call.require(1, 1);
    String alias = call.translation().alias();
    String sql =
        "(SELECT MAX(%1$s.\"tran_end_time\") FROM %2$s AS %1$s WHERE %1$s.\"start_lsn\" = %3$s)"
            .formatted(
                alias,
                table(call, "lsn_time_mapping"),
                call.translation().sql(call.argument(0, Types.LSN)));
    return Typed.of(sql, Types.DATETIME, true);
  }

  private static Typed timeToLsn(FunctionCall call) throws SqlServerError {
    call.require(2, 2);
    String relation = String.valueOf(call.constantText(0)).strip().toLowerCase(Locale.ROOT);
    String operator =
        switch (relation) {
          case "largest less than" -> "<";
          case "largest less than or equal" -> "<=";
          case "smallest greater than" -> ">";
          case "smallest greater than or equal" -> ">=";
          default -> "";
        };
    if (operator.isEmpty()) {
      return Typed.of("CAST(NULL AS BINARY(10))", Types.LSN, true);
    }
    boolean largest = relation.startsWith("largest");
    String alias = call.translation().alias();
    String sql =
        ("SELECT %1$s.\"start_lsn\" FROM %2$s AS %1$s WHERE %1$s.\"tran_end_time\" %3$s %4$s"
                + " ORDER BY %1$s.\"tran_end_time\" %5$s, %1$s.\"start_lsn\" %5$s"
                + " FETCH FIRST 1 ROW ONLY")
            .formatted(
                alias,
                table(call, "lsn_time_mapping"),
                operator,
                call.translation().sql(call.argument(1, Types.DATETIME)),
                largest ? "DESC" : "ASC");
    return lsn(sql);
  }

  private static Typed step(FunctionCall call, int steps) throws SqlServerError {
    call.require(1, 1);
    return call.castCall(
        FunctionCall.own("lsnAdd"),
        Types.LSN,
        call.argument(0, Types.LSN),
        Typed.literal(steps, Types.INT));
  }

  private static Typed isBitSet(FunctionCall call) throws SqlServerError {
    call.require(2, 2);
    return call.call(
        FunctionCall.own("isBitSet"), Types.BIT, call.argument(0, Types.INT), call.argument(1));
  }
}
