package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.error.MissingGrantException;
import io.github.mssqlcdc.sqlserver.Database.Purpose;
import io.github.mssqlcdc.sqlserver.MissingRights.SourceTable;
import io.github.mssqlcdc.type.CapturedColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads CDC's metadata by its documented procedures, so that no right on {@code cdc} tables is
 * needed. Columns are read by place: their names differ between versions.
 */
final class InstanceCatalog {
  /**
   * Change tables that the login may read, and whether they have command ids. Any reader sees the
   * columns of what it may SELECT.
   */
  private static final String CHANGE_TABLES =
      "SELECT t.object_id, c.column_id FROM sys.tables AS t LEFT JOIN sys.columns AS c"
          + " ON c.object_id = t.object_id AND c.name = N'__$command_id'"
          + " WHERE t.schema_id = SCHEMA_ID(N'cdc');";

  private final Database database;
  private final Duration timeout;
  private final MissingRights rights;

  InstanceCatalog(Database database, Duration timeout, MissingRights rights) {
    this.database = database;
    this.timeout = timeout;
    this.rights = rights;
  }

  TableInstances ofTable(String name) {
    List<CaptureInstance> all = list();
    CaptureInstance asked = find(name, all);
    return new TableInstances(asked, ofTable(asked, all));
  }

  List<CaptureInstance> ofTable(CaptureInstance instance) {
    return ofTable(instance, list());
  }

  /** In the order of their creation: cleanup may move the first LSN of one past that of another. */
  private static List<CaptureInstance> ofTable(CaptureInstance one, List<CaptureInstance> all) {
    return all.stream()
        .filter(instance -> instance.sourceTableId() == one.sourceTableId())
        .sorted(
            Comparator.comparing(CaptureInstance::created)
                .thenComparing(
                    CaptureInstance::startLsn, Comparator.nullsLast(Comparator.naturalOrder())))
        .toList();
  }

  CaptureInstance find(String name) {
    return find(name, list());
  }

  List<CaptureInstance> list() {
    return database.query(
        new Purpose("list the capture instances", null),
        timeout,
        Batch.of("EXEC sys.sp_cdc_help_change_data_capture;").add(CHANGE_TABLES),
        InstanceCatalog::instances);
  }

  private CaptureInstance find(String name, List<CaptureInstance> all) {
    for (CaptureInstance instance : all) {
      if (instance.name().equals(name)) {
        return instance;
      }
    }
    List<CaptureInstance> matches =
        all.stream().filter(instance -> instance.name().equalsIgnoreCase(name)).toList();
    if (matches.size() == 1) {
      return matches.get(0);
    }
    if (matches.isEmpty()) {
      return successor(name, all).orElseThrow(() -> unknown(name, all));
    }
    throw ambiguous(name, matches);
  }

  /**
   * The table's newest instance, where the name is one that CDC gives by default: then it says
   * which table is meant, though the instance itself was disabled. A name of somebody's own says
   * nothing.
   */
  private static Optional<CaptureInstance> successor(String name, List<CaptureInstance> all) {
    List<CaptureInstance> ofTable =
        all.stream()
            .filter(
                found -> (found.sourceSchema() + "_" + found.sourceTable()).equalsIgnoreCase(name))
            .toList();
    boolean isOneTable =
        ofTable.stream().map(CaptureInstance::sourceTableId).distinct().count() == 1;
    return isOneTable
        ? ofTable.stream().max(Comparator.comparing(CaptureInstance::created))
        : Optional.empty();
  }

  Optional<LocalDateTime> tableCreated(CaptureInstance instance) {
    return database.query(
        new Purpose("look up the table of " + instance.name(), instance),
        timeout,
        Batch.of(
            "SELECT create_date FROM sys.tables WHERE object_id = ?;", instance.sourceTableId()),
        results -> {
          ResultSet row = results.next();
          return row.next() ? Optional.ofNullable(Results.time(row, 1)) : Optional.empty();
        });
  }

  boolean maySwitchPartitions(CaptureInstance instance) {
    Purpose purpose =
        new Purpose("look up the partitions of the table of " + instance.name(), instance);
    boolean isPartitioned =
        database.query(
            purpose,
            timeout,
            Batch.of(
                "SELECT TOP (1) c.column_id FROM sys.index_columns AS c WHERE c.object_id = ?"
                    + " AND c.index_id <= 1 AND c.partition_ordinal > 0;",
                instance.sourceTableId()),
            results -> results.next().next());
    return isPartitioned && !forbidsSwitches(instance, purpose);
  }

  /** No procedure tells it, and of CDC's own tables few logins may read this one. */
  private boolean forbidsSwitches(CaptureInstance instance, Purpose purpose) {
    try {
      return database.query(
          purpose,
          timeout,
          Batch.of(
              "SELECT t.partition_switch FROM cdc.change_tables AS t WHERE t.object_id = ?;",
              instance.changeTableId()),
          results -> {
            ResultSet row = results.next();
            return row.next() && !row.getBoolean(1);
          });
    } catch (CdcException e) {
      return false;
    }
  }

  List<CapturedColumn> columns(CaptureInstance instance) {
    return database.query(
        new Purpose("read the captured columns of " + instance.name(), instance),
        timeout,
        ColumnCatalog.batch(instance),
        results -> ColumnCatalog.read(instance, results));
  }

  private static List<CaptureInstance> instances(Results results) throws SQLException {
    ResultSet row = results.next();
    List<CaptureInstance> instances = new ArrayList<>();
    while (row.next()) {
      String keyColumns = row.getString(14);
      instances.add(
          new CaptureInstance(
              row.getString(3),
              row.getString(1),
              row.getString(2),
              row.getInt(4),
              row.getInt(5),
              Results.lsnOrNone(row, 6),
              Objects.requireNonNull(Results.time(row, 13)),
              keyColumns == null ? List.of() : Quoting.parseList(keyColumns)));
    }
    Set<Integer> without = withoutCommandIds(results.next());
    return instances.stream()
        .map(found -> without.contains(found.changeTableId()) ? found.withoutCommandIds() : found)
        .toList();
  }

  private static Set<Integer> withoutCommandIds(ResultSet table) throws SQLException {
    Set<Integer> without = new HashSet<>();
    while (table.next()) {
      if (Results.integer(table, 2) == null) {
        without.add(table.getInt(1));
      }
    }
    return without;
  }

  private RuntimeException unknown(String name, List<CaptureInstance> all) {
    MissingGrantException hidden =
        rights.hidden("read capture instance '" + name + "'", name, null);
    if (hidden != null) {
      return hidden;
    }
    String candidates =
        all.stream()
            .filter(instance -> mayBeMeant(name, instance))
            .map(CaptureInstance::name)
            .sorted()
            .collect(Collectors.joining(", "));
    return new InvalidRequestException(
        ErrorCode.UNKNOWN_CAPTURE_INSTANCE,
        "Unknown capture instance '"
            + name
            + "': the database has none of this name that the login may see (SELECT on the source"
            + " table's captured columns is needed, and the gating role where there is one)"
            + (candidates.isEmpty()
                ? notCaptured(rights.find(name))
                : ". Set option 'captureInstance' to one of " + candidates));
  }

  private static String notCaptured(List<SourceTable> tables) {
    if (tables.isEmpty()) {
      return "";
    }
    if (tables.size() > 1) {
      return ". By its name it may be of table "
          + MissingRights.either(tables)
          + "; if the one meant isn't captured yet, a db_owner runs EXEC"
          + " sys.sp_cdc_enable_table for it";
    }
    SourceTable table = tables.get(0);
    return ". Table "
        + table.quoted()
        + " is there; if it isn't captured yet, a db_owner runs EXEC sys.sp_cdc_enable_table"
        + " @source_schema = "
        + Quoting.text(table.schema())
        + ", @source_name = "
        + Quoting.text(table.name())
        + ", @role_name = NULL";
  }

  private static InvalidRequestException ambiguous(String name, List<CaptureInstance> matches) {
    return new InvalidRequestException(
        ErrorCode.UNKNOWN_CAPTURE_INSTANCE,
        "Unknown capture instance '"
            + name
            + "': several differ from it in case only ("
            + matches.stream().map(CaptureInstance::name).collect(Collectors.joining(", "))
            + "). Set option 'captureInstance' to the exact name");
  }

  /**
   * Users give the table's name, with or without its schema, or forget a suffix; or the instance
   * that they name was disabled after another one of its table had been created.
   */
  private static boolean mayBeMeant(String name, CaptureInstance instance) {
    String asked = name.toLowerCase(Locale.ROOT);
    String table = instance.sourceTable().toLowerCase(Locale.ROOT);
    return asked.contains(table)
        || instance.name().toLowerCase(Locale.ROOT).startsWith(asked)
        || asked.startsWith(instance.name().toLowerCase(Locale.ROOT));
  }
}
