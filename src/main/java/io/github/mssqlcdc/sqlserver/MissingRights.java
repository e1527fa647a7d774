package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.ConnectionTarget;
import io.github.mssqlcdc.error.MissingGrantException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    if (ErrorNumbers.isRightRefused(failure)) {
      suspects.addAll(objects.values());
    }
    return suspects.stream()
        .distinct()
        .filter(this::isRefused)
        .findFirst()
        .map(object -> lacks(purpose, object, failure))
        .orElse(null);
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
            + statements(find(instance).orElse(null))
            + ". A db_owner finds table and role by SELECT OBJECT_SCHEMA_NAME(source_object_id),"
            + " OBJECT_NAME(source_object_id), role_name FROM cdc.change_tables WHERE"
            + " capture_instance = "
            + Quoting.text(instance),
        failure);
  }

  private String statements(@Nullable SourceTable source) {
    String user = user();
    String role = "ALTER ROLE [<gating role>] ADD MEMBER " + user;
    if (source != null && source.maySelect()) {
      return role + " (SELECT on " + source.quoted() + " is there)";
    }
    return "GRANT SELECT ON "
        + (source == null ? "[<source table>]" : source.quoted())
        + " TO "
        + user
        + "; with a gating role for "
        + role
        + ", too";
  }

  /** The table that an instance of this name is of by default, where there is one. */
  Optional<SourceTable> find(String instance) {
    return splits(instance).stream()
        .map(
            parts ->
                diagnosis
                    .maySelect(Quoting.name(parts.get(0), parts.get(1)))
                    .map(answer -> new SourceTable(parts.get(0), parts.get(1), answer)))
        .flatMap(Optional::stream)
        .findFirst();
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

  private MissingGrantException lacks(String purpose, String object, SQLException failure) {
    return new MissingGrantException(
        "Cannot "
            + purpose
            + ": the login may not read "
            + object
            + " ("
            + target
            + "). Ask for GRANT SELECT ON "
            + object
            + " TO "
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
