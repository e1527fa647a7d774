package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.CommitListener.RowChange;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One transaction of a session: what it changed, by database, and its savepoints. */
final class Transaction {
  private final long id;
  private final LocalDateTime beganAt;
  private final Map<Database, List<RowChange>> changes = new LinkedHashMap<>();
  private final Map<String, Mark> savepoints = new HashMap<>();
  private int nesting = 1;
  private int statements;

  Transaction(long id, LocalDateTime beganAt) {
    this.id = id;
    this.beganAt = beganAt;
  }

  private record Mark(Map<Database, Savepoint> savepoints, Map<Database, Integer> sizes) {}

  long id() {
    return id;
  }

  LocalDateTime beganAt() {
    return beganAt;
  }

  /** As {@code @@TRANCOUNT}. */
  int nesting() {
    return nesting;
  }

  void enter() {
    nesting++;
  }

  /** Returns what {@code @@TRANCOUNT} is then. */
  int leave() {
    return --nesting;
  }

  /** Number of the next statement that changes rows. */
  int nextStatement() {
    return ++statements;
  }

  List<RowChange> changes(Database database) {
    return changes.computeIfAbsent(database, unused -> new ArrayList<>());
  }

  boolean hasChanges() {
    return changes.values().stream().anyMatch(rows -> !rows.isEmpty());
  }

  /** How many savepoints there are; they would not survive a commit in storage. */
  int savepoints() {
    return savepoints.size();
  }

  void save(String name, Connections connections) throws SQLException {
    Map<Database, Savepoint> marks = new HashMap<>();
    Map<Database, Integer> sizes = new HashMap<>();
    for (Database database : connections.open()) {
      marks.put(database, connections.of(database).setSavepoint());
      sizes.put(database, changes(database).size());
    }
    savepoints.put(name.toLowerCase(Locale.ROOT), new Mark(marks, sizes));
  }

  /** Undoes what came after the savepoint; false if there is none of this name. */
  boolean rollback(String name, Connections connections) throws SQLException, SqlServerError {
    Mark mark = savepoints.get(name.toLowerCase(Locale.ROOT));
    if (mark == null) {
      return false;
    }
    for (Database database : connections.open()) {
      @Nullable Savepoint savepoint = mark.savepoints().get(database);
      if (savepoint == null) {
        connections.of(database).rollback();
      } else {
        connections.of(database).rollback(savepoint);
      }
      List<RowChange> rows = changes(database);
      rows.subList(mark.sizes().getOrDefault(database, 0), rows.size()).clear();
    }
    return true;
  }
}
