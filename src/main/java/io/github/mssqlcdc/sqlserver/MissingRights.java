package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.ConnectionTarget;
import io.github.mssqlcdc.error.MissingGrantException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the right that a login lacks, and words the statement that gives it. Nothing is read out of
 * a message but names of objects, since messages come in the login's language: the server is asked,
 * and only its plain answer counts.
 */
final class MissingRights {
  private static final String LSN_MAP = "lsn_time_mapping";

  /** A name may hold many underscores; beyond some, nobody named a schema. */
  private static final int MAX_SPLITS = 8;

  private final ConnectionTarget target;
  private final ErrorTranslator.Diagnosis diagnosis;

  MissingRights(ConnectionTarget target, ErrorTranslator.Diagnosis diagnosis) {
    this.target = target;
    this.diagnosis = diagnosis;
  }

  /**
   * A right on the change table, the source table or the LSN map whose lack made a statement fail;
   * null if that isn't why.
   */
  @Nullable MissingGrantException behind(
      String purpose, @Nullable CaptureInstance instance, SQLException failure) {
    String message = failure.getMessage() == null ? "" : failure.getMessage();
    Map<String, String> objects = objects(instance);
    List<String> suspects = new ArrayList<>();
    objects.forEach(
        (name, quoted) -> {
          if (message.contains(name)) {
            suspects.add(quoted);
          }
        });
    boolean isRefusal = ErrorNumbers.isRightRefused(failure);
    if (isRefusal) {
      suspects.addAll(objects.values());
    }
    for (String object : new LinkedHashSet<>(suspects)) {
      if (isRefused(object)) {
        return lacks(purpose, object, "Ask for GRANT SELECT ON " + object + " TO ", failure);
      }
      List<String> denied = isRefusal ? diagnosis.deniedColumns(object) : List.of();
      if (!denied.isEmpty()) {
        return lacks(purpose, columns(object, denied), revoke(object, denied), failure);
      }
    }
    return null;
  }

  private static String columns(String object, List<String> denied) {
    return "columns " + list(denied) + " of " + object;
  }

  /** A DENY on columns holds against a GRANT on the table. */
  private static String revoke(String object, List<String> denied) {
    return "SELECT on the table is there, but denied on these columns: leave them out in option"
        + " 'columns', or ask for REVOKE SELECT ON "
        + object
        + " ("
        + list(denied)
        + ") FROM whom it is denied to, a role or ";
  }

  private static String list(List<String> names) {
    return names.stream().map(Quoting::name).collect(Collectors.joining(", "));
  }

  /** What a read may touch, by its name in messages. */
  private static Map<String, String> objects(@Nullable CaptureInstance instance) {
    Map<String, String> objects = new LinkedHashMap<>();
    if (instance != null) {
      ChangeTable changes = new ChangeTable(instance);
      objects.put(changes.name(), changes.quoted());
      objects.put(
          instance.sourceTable(), Quoting.name(instance.sourceSchema(), instance.sourceTable()));
    }
    objects.put(LSN_MAP, Quoting.name(ChangeTable.SCHEMA, LSN_MAP));
    return objects;
  }

  /**
   * An instance that CDC's procedures don't show to the login though it is there; null if the
   * server doesn't say that it is.
   */
  @Nullable MissingGrantException hidden(
      String purpose, String instance, @Nullable SQLException failure) {
    if (diagnosis.maySelect(ChangeTable.quoted(instance)).isEmpty()) {
      return null;
    }
    return new MissingGrantException(
        "Cannot "
            + purpose
            + ": capture instance '"
            + instance
            + "' exists, but CDC shows it only to who may SELECT all its captured columns from the"
            + " source table and is in its gating role, where it has one ("
            + target
            + "). Ask for "
            + statements(find(instance))
            + ". A db_owner finds table and role by SELECT OBJECT_SCHEMA_NAME(source_object_id),"
            + " OBJECT_NAME(source_object_id), role_name FROM cdc.change_tables WHERE"
            + " capture_instance = "
            + Quoting.text(instance),
        failure);
  }

  private String statements(List<SourceTable> sources) {
    String user = user();
    String role = "ALTER ROLE [<gating role>] ADD MEMBER " + user;
    String roleToo = "; with a gating role for " + role + ", too";
    if (sources.size() != 1) {
      return "GRANT SELECT ON [<source table>] TO "
          + user
          + roleToo
          + (sources.isEmpty() ? "" : " (by its name, the table may be " + either(sources) + ")");
    }
    SourceTable source = sources.get(0);
    if (!source.maySelect()) {
      return "GRANT SELECT ON " + source.quoted() + " TO " + user + roleToo;
    }
    List<String> denied = diagnosis.deniedColumns(source.quoted());
    return denied.isEmpty()
        ? role + " (SELECT on " + source.quoted() + " is there)"
        : "REVOKE SELECT ON "
            + source.quoted()
            + " ("
            + list(denied)
            + ") FROM whom it is denied to, a role or "
            + user
            + " (SELECT on the table is there, but denied on these columns, which matters for"
            + " captured ones)"
            + roleToo;
  }

  /** Which of them it is, the login can't see. */
  static String either(List<SourceTable> sources) {
    return sources.stream().map(SourceTable::quoted).collect(Collectors.joining(" or "));
  }

  /**
   * The tables that an instance of this name may be of by default: two, where the underscore
   * between schema and table may be another one.
   */
  List<SourceTable> find(String instance) {
    return splits(instance).stream()
        .map(
            parts ->
                diagnosis
                    .maySelect(Quoting.name(parts.get(0), parts.get(1)))
                    .map(answer -> new SourceTable(parts.get(0), parts.get(1), answer)))
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * A table that is there.
   *
   * @param maySelect whether the login may SELECT it
   */
  record SourceTable(String schema, String name, boolean maySelect) {
    String quoted() {
      return Quoting.name(schema, name);
    }
  }

  /** CDC names an instance {@code <schema>_<table>}; both may hold underscores. */
  private static List<List<String>> splits(String instance) {
    List<List<String>> splits = new ArrayList<>();
    for (int i = 1; i < instance.length() - 1 && splits.size() < MAX_SPLITS; i++) {
      if (instance.charAt(i) == '_' || instance.charAt(i) == '.') {
        splits.add(List.of(instance.substring(0, i), instance.substring(i + 1)));
      }
    }
    return splits.isEmpty() ? List.of(List.of("dbo", instance)) : splits;
  }

  /**
   * @param remedy as it reads before the user's name
   */
  private MissingGrantException lacks(
      String purpose, String object, String remedy, SQLException failure) {
    return new MissingGrantException(
        "Cannot "
            + purpose
            + ": the login may not read "
            + object
            + " ("
            + target
            + "). "
            + remedy
            + user(),
        failure);
  }

  private String user() {
    return diagnosis.user().map(Quoting::name).orElse("the login's user");
  }

  private boolean isRefused(String quotedName) {
    return !diagnosis.maySelect(quotedName).orElse(true);
  }
}
