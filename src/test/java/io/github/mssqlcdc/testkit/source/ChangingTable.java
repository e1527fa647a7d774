package io.github.mssqlcdc.testkit.source;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.DdlEntry;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A table with its capture instances and the LSN map: all that a restore brings back.
 *
 * @param id object id of the table
 * @param rows by the value of the key; each column's value by its id
 */
public record ChangingTable(
    int id,
    LocalDateTime created,
    List<Column> columns,
    NavigableMap<Integer, Map<Integer, Written>> rows,
    List<Instance> instances,
    NavigableMap<Lsn, LocalDateTime> map,
    int nextColumn,
    int nextInstance) {

  /** The first is the key. */
  public record Column(int id, String name) {}

  /**
   * A value.
   *
   * @param at commit that wrote it
   */
  public record Written(@Nullable String value, Lsn at) {}

  /**
   * A capture instance.
   *
   * @param changes values by column id
   */
  public record Instance(
      int changeTable,
      String name,
      LocalDateTime created,
      Lsn minLsn,
      List<Column> captured,
      List<DdlEntry> ddl,
      NavigableMap<ChangePosition, Map<Integer, @Nullable String>> changes) {

    List<ChangePosition> positions(Lsn after, Lsn through) {
      return changes.keySet().stream()
          .filter(p -> p.commit().isAfter(after) && !p.commit().isAfter(through))
          .toList();
    }

    Instance purged(Lsn mark) {
      NavigableMap<ChangePosition, Map<Integer, @Nullable String>> left = new TreeMap<>(changes);
      left.keySet().removeIf(position -> position.commit().isBefore(mark));
      return new Instance(changeTable, name, created, mark, captured, ddl, left);
    }

    private Instance copy() {
      return new Instance(
          changeTable,
          name,
          created,
          minLsn,
          captured,
          new ArrayList<>(ddl),
          new TreeMap<>(changes));
    }
  }

  @Nullable Lsn newest() {
    return map.isEmpty() ? null : map.lastKey();
  }

  ChangingTable copy() {
    NavigableMap<Integer, Map<Integer, Written>> all = new TreeMap<>();
    rows.forEach((key, values) -> all.put(key, new HashMap<>(values)));
    return new ChangingTable(
        id,
        created,
        new ArrayList<>(columns),
        all,
        new ArrayList<>(instances.stream().map(Instance::copy).toList()),
        new TreeMap<>(map),
        nextColumn,
        nextInstance);
  }
}
