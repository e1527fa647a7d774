package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.error.SchemaChangedException;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.TableInstances;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.CapturedColumn.Trait;
import io.github.mssqlcdc.type.ReadColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The capture instances of one table with their columns. A column is known by its id: one dropped
 * and added again under its name is another column, and the newer one has the name.
 *
 * @param asked the instance that the options name
 * @param tables it and the table's other one, if there is one: the older first
 */
public record CaptureSet(CaptureInstance asked, List<CapturedTable> tables) {

  public CaptureSet {
    tables = List.copyOf(tables);
  }

  /** Looks all up by an instance's name; errors are those of {@link SqlServer}. */
  public static CaptureSet load(SqlServer server, String captureInstance) {
    TableInstances found = server.tableInstances(captureInstance);
    return load(server, found.asked(), found.all());
  }

  /** The same of instances that are known. */
  public static CaptureSet load(
      SqlServer server, CaptureInstance asked, List<CaptureInstance> instances) {
    return new CaptureSet(
        asked,
        instances.stream()
            .map(instance -> new CapturedTable(instance, server.capturedColumns(instance)))
            .toList());
  }

  /** The instance asked for, with the columns of all. */
  public CapturedTable whole() {
    return new CapturedTable(asked, columns());
  }

  /**
   * The columns of all instances, each as the newest that has it tells it: first those of the
   * oldest instance.
   *
   * @throws SchemaChangedException if a newer instance has a column in a type that doesn't hold the
   *     older one's values
   */
  public List<CapturedColumn> columns() {
    List<CapturedColumn> columns = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      for (CapturedColumn column : tables.get(i).columns()) {
        if (find(column, i - 1).isEmpty() && !isReplaced(column, i)) {
          columns.add(
              isEverywhere(column)
                  ? newest(column, i)
                  : newest(column, i).with(Trait.NOT_EVERYWHERE));
        }
      }
    }
    return List.copyOf(columns);
  }

  /**
   * The columns of all instances as one of them has them: its own ordinals, and what it doesn't
   * have is marked.
   */
  public List<CapturedColumn> columnsIn(CaptureInstance instance) {
    CapturedTable table =
        tables.stream()
            .filter(one -> one.instance().changeTableId() == instance.changeTableId())
            .findFirst()
            .orElseThrow();
    return columns().stream()
        .map(column -> in(table, column).orElseGet(() -> column.with(Trait.NOT_CAPTURED)))
        .toList();
  }

  private static Optional<CapturedColumn> in(CapturedTable table, CapturedColumn column) {
    return table.columns().stream().filter(own -> own.columnId() == column.columnId()).findFirst();
  }

  /** The column in the instances up to this one. */
  private Optional<CapturedColumn> find(CapturedColumn column, int last) {
    return IntStream.rangeClosed(0, last)
        .mapToObj(i -> in(tables.get(i), column))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Stream<CapturedTable> newerThan(int index) {
    return tables.stream().skip(index + 1L);
  }

  private boolean isReplaced(CapturedColumn column, int index) {
    return !column.isOnTable()
        && newerThan(index)
            .flatMap(newer -> newer.columns().stream())
            .anyMatch(
                other ->
                    other.columnId() != column.columnId()
                        && other.name().equalsIgnoreCase(column.name()));
  }

  private boolean isEverywhere(CapturedColumn column) {
    return tables.stream().allMatch(table -> in(table, column).isPresent());
  }

  private CapturedColumn newest(CapturedColumn column, int index) {
    CapturedColumn newest = column;
    for (CapturedTable newer : newerThan(index).toList()) {
      Optional<CapturedColumn> own = in(newer, column);
      if (own.isPresent()) {
        requireHeld(tables.get(index), newest, newer, own.get());
        newest = own.get();
      }
    }
    return newest;
  }

  private static void requireHeld(
      CapturedTable olderTable,
      CapturedColumn older,
      CapturedTable newerTable,
      CapturedColumn newer) {
    ReadColumns.conflict(older, newer)
        .ifPresent(
            types -> {
              throw new SchemaChangedException(
                  "Cannot read column '"
                      + newer.name()
                      + "' of table "
                      + newerTable.instance().tableName()
                      + ": capture instance '"
                      + olderTable.instance().name()
                      + "' has it as "
                      + types.get(0)
                      + ", the newer '"
                      + newerTable.instance().name()
                      + "' as "
                      + types.get(1)
                      + ", which does not hold the older one's values. Read the older instance to"
                      + " its end without the newer one (disable that), or take a new target for"
                      + " the newer one alone (disable the older)");
            });
  }
}
