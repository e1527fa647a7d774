package io.github.mssqlcdc.testkit.sqlserver;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Query;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Statement;
import io.github.mssqlcdc.testkit.sqlserver.tsql.TSql;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says whether a statement batch does no more than a reader of least privilege may: SELECT without
 * hints on tables that a reader is granted, variables, the settings of a read, and CDC's own
 * procedures that tell of instances. It judges what the parser understood, not the text.
 */
final class ReadOnlyGuard {
  private static final Set<String> PROCEDURES =
      Set.of(
          "sys.sp_cdc_help_change_data_capture",
          "sys.sp_cdc_get_captured_columns",
          "sys.sp_cdc_get_ddl_history",
          "sys.sp_cdc_help_jobs",
          "sys.sp_spaceused");
  private static final Set<String> LEVELS = Set.of("READ COMMITTED", "SNAPSHOT");

  private ReadOnlyGuard() {}

  /** Why the batch is none that a reader sends; empty if it is. */
  static Optional<String> objection(String sql) {
    try {
      return TSql.parse(sql).stream()
          .map(ReadOnlyGuard::objection)
          .flatMap(Optional::stream)
          .findFirst();
    } catch (SqlServerError e) {
      return Optional.of("it can't be parsed: " + e.getMessage());
    }
  }

  private static Optional<String> objection(Statement statement) {
    boolean allowed =
        statement instanceof Statement.Select
            || statement instanceof Statement.Declare
            || statement instanceof Statement.SetVariable
            || (statement instanceof Statement.SetIsolation set && LEVELS.contains(set.level()))
            || (statement instanceof Statement.SetOption set && set.option().equals("LOCK_TIMEOUT"))
            || (statement instanceof Statement.Execute call
                && PROCEDURES.contains(
                    String.join(".", call.procedure()).toLowerCase(Locale.ROOT)));
    return allowed
        ? tables(statement).stream()
            .map(ReadOnlyGuard::objection)
            .flatMap(Optional::stream)
            .findFirst()
        : Optional.of("a reader sends no " + statement.getClass().getSimpleName());
  }

  private static Optional<String> objection(Query.NamedTable table) {
    List<String> name = table.name();
    if (!table.hints().isEmpty()) {
      return Optional.of("hints " + table.hints() + " on " + String.join(".", name));
    }
    if (name.size() > 2) {
      return Optional.of("another database: " + String.join(".", name));
    }
    String schema = name.size() == 2 ? name.get(0).toLowerCase(Locale.ROOT) : "";
    String last = name.get(name.size() - 1);
    boolean granted =
        !schema.equals("cdc") || last.endsWith("_CT") || last.equals("lsn_time_mapping");
    return granted
        ? Optional.empty()
        : Optional.of("a reader has no right on " + String.join(".", name));
  }

  /** Tables named anywhere in it, also in subqueries of expressions. */
  private static List<Query.NamedTable> tables(@Nullable Object node) {
    List<Query.NamedTable> found = new ArrayList<>();
    if (node instanceof Query.NamedTable table) {
      found.add(table);
    } else if (node instanceof List<?> list) {
      list.forEach(each -> found.addAll(tables(each)));
    } else if (node instanceof Record record) {
      for (RecordComponent component : record.getClass().getRecordComponents()) {
        found.addAll(tables(value(record, component)));
      }
    }
    return found;
  }

  private static @Nullable Object value(Record record, RecordComponent component) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Cannot read " + component, e);
    }
  }
}
