package io.github.mssqlcdc.testkit.source;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.DdlEntry;
import io.github.mssqlcdc.testkit.source.ChangingTable.Column;
import io.github.mssqlcdc.testkit.source.ChangingTable.Instance;
import io.github.mssqlcdc.testkit.source.ChangingTable.Written;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is done to a table {@code dbo.orders}: changes, DDL, capture instances that come and go,
 * cleanup, backups and restores. What is committed is captured at once.
 */
public final class ChangingDatabase {
  private static final int DELETE = 1;
  private static final int INSERT = 2;
  private static final int BEFORE = 3;
  private static final int AFTER = 4;

  private ChangingTable table;
  private @Nullable ChangingTable backup;
  private int restores;
  private LocalDateTime time = FakeSqlServer.EPOCH;
  private int values;

  public ChangingDatabase() {
    table =
        new ChangingTable(
            100,
            time,
            new ArrayList<>(List.of(new Column(1, "id"), new Column(2, "name"))),
            new TreeMap<>(),
            new ArrayList<>(),
            new TreeMap<>(),
            3,
            1);
    enable();
  }

  public ChangingTable table() {
    return table;
  }

  LocalDateTime time() {
    return time;
  }

  /** The LSN map gets an entry. */
  public Lsn idle() {
    Lsn last = table.newest();
    Lsn lsn = new Lsn(last == null ? 10 : last.high() + 1, 5);
    time = time.plusMinutes(1);
    table.map().put(lsn, time);
    return lsn;
  }

  /** Inserts a row, or gives all its columns new values. */
  public void put(int key) {
    Map<Integer, Written> before = table.rows().get(key);
    Lsn lsn = idle();
    Map<Integer, Written> after = new HashMap<>();
    table.columns().forEach(column -> after.put(column.id(), new Written(value(), lsn)));
    after.put(1, new Written(Integer.toString(key), lsn));
    change(lsn, key, before, after);
  }

  /** Gives the last column of a row that is there a new value. */
  public void update(int key) {
    Map<Integer, Written> before = table.rows().get(key);
    if (before != null) {
      Lsn lsn = idle();
      Map<Integer, Written> after = new HashMap<>(before);
      int last = table.columns().get(table.columns().size() - 1).id();
      after.put(last, new Written(value(), lsn));
      change(lsn, key, before, after);
    }
  }

  public void delete(int key) {
    Map<Integer, Written> before = table.rows().get(key);
    if (before != null) {
      change(idle(), key, before, null);
    }
  }

  private String value() {
    return "v" + values++;
  }

  private void change(
      Lsn lsn,
      int key,
      @Nullable Map<Integer, Written> before,
      @Nullable Map<Integer, Written> after) {
    if (after == null) {
      table.rows().remove(key);
    } else {
      table.rows().put(key, after);
    }
    for (Instance instance : table.instances()) {
      if (before == null || after == null) {
        image(instance, lsn, after == null ? DELETE : INSERT, after == null ? before : after);
      } else if (changes(instance, before, after)) {
        image(instance, lsn, BEFORE, before);
        image(instance, lsn, AFTER, after);
      }
    }
  }

  /** An update of columns that an instance doesn't have leaves no row in it. */
  private static boolean changes(
      Instance instance, Map<Integer, Written> before, Map<Integer, Written> after) {
    return instance.captured().stream()
        .anyMatch(column -> !Objects.equals(before.get(column.id()), after.get(column.id())));
  }

  private static void image(
      Instance instance, Lsn lsn, int operation, @Nullable Map<Integer, Written> row) {
    Map<Integer, @Nullable String> values = new HashMap<>();
    for (Column column : instance.captured()) {
      Written written = Objects.requireNonNull(row).get(column.id());
      values.put(column.id(), written == null ? null : written.value());
    }
    instance.changes().put(new ChangePosition(lsn, 1, new Lsn(lsn.high(), 1), operation), values);
  }

  /** Adds a column of this name, or drops the one that there is. */
  public void alter(String name, boolean withDefault) {
    Optional<Column> there =
        table.columns().stream().filter(column -> column.name().equals(name)).findFirst();
    Lsn lsn = idle();
    String statement;
    if (there.isPresent()) {
      table.columns().remove(there.get());
      table.rows().values().forEach(row -> row.remove(there.get().id()));
      statement = "ALTER TABLE dbo.orders DROP COLUMN " + name;
    } else {
      Column added = new Column(table.nextColumn(), name);
      table.columns().add(added);
      Written first = new Written(withDefault ? value() : null, lsn);
      table.rows().values().forEach(row -> row.put(added.id(), first));
      statement = "ALTER TABLE dbo.orders ADD " + name + " nvarchar(50)";
      table = next(table.id(), table.created(), table.nextColumn() + 1, table.nextInstance());
    }
    table.instances().forEach(one -> one.ddl().add(new DdlEntry(lsn, statement)));
  }

  private ChangingTable next(int id, LocalDateTime created, int nextColumn, int nextInstance) {
    return new ChangingTable(
        id,
        created,
        table.columns(),
        table.rows(),
        table.instances(),
        table.map(),
        nextColumn,
        nextInstance);
  }

  /** A capture instance of all columns that there are; of two the older one goes first. */
  public void enable() {
    if (table.instances().size() == 2) {
      table.instances().remove(0);
    }
    int number = table.nextInstance();
    boolean isFree =
        table.instances().stream().noneMatch(one -> one.name().equals(ChangingServer.INSTANCE));
    Lsn lsn = idle();
    table
        .instances()
        .add(
            new Instance(
                number,
                isFree && number == 1 ? ChangingServer.INSTANCE : "orders_v" + number,
                time,
                lsn,
                List.copyOf(table.columns()),
                new ArrayList<>(),
                new TreeMap<>()));
    table = next(table.id(), table.created(), table.nextColumn(), number + 1);
  }

  /** Of two capture instances the older one goes. */
  public void disableOlder() {
    if (table.instances().size() == 2) {
      table.instances().remove(0);
    }
  }

  /** All capture instances go; then there is a new one. */
  public void recreate() {
    table.instances().clear();
    enable();
  }

  /** The table is dropped and made again, without rows; so is its capture instance. */
  public void recreateTable() {
    table.instances().clear();
    table.rows().clear();
    idle();
    table = next(table.id() + 1, time, table.nextColumn(), table.nextInstance());
    enable();
  }

  /**
   * Cleanup of all instances and the map.
   *
   * @param percent of what may be taken
   */
  public void cleanUp(int percent) {
    List<Lsn> marks = new ArrayList<>(table.map().keySet());
    int taken = marks.size() * percent / 100;
    if (taken == 0) {
      return;
    }
    Lsn mark = marks.get(taken - 1);
    table.instances().replaceAll(one -> mark.isAfter(one.minLsn()) ? one.purged(mark) : one);
    table.map().headMap(mark, false).clear();
  }

  public void backUp() {
    backup = table.copy();
  }

  /** Goes back to the last backup, if there is one; time goes on. */
  public void restore() {
    if (backup != null) {
      table = backup.copy();
      restores++;
    }
  }

  /** How often it has gone back. */
  public int restores() {
    return restores;
  }
}
