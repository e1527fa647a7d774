package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.engine.CommitListener;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo;
import java.time.LocalDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The transaction log as far as CDC reads it: what is committed and not yet captured. Commits on
 * tables that no instance tracks move the log on and leave no record. Thread-safe; calls nothing
 * while it holds its lock.
 */
final class CommitLog implements CommitListener {
  private final DatabaseStore store;
  private final InstanceCatalog instances;
  private final LsnAllocator lsns = new LsnAllocator();
  private final LogWriter writer;
  private final Deque<LogRecord> pending = new ArrayDeque<>();

  CommitLog(DatabaseStore store, InstanceCatalog instances, CdcSettings settings) {
    this.store = store;
    this.instances = instances;
    this.writer = new LogWriter(settings, lsns);
  }

  @Override
  public void committed(Commit commit) {
    // looked up before the log is locked: the catalogue has locks of its own
    Map<Integer, TableInfo> tables = new HashMap<>();
    for (RowChange change : commit.changes()) {
      tables.computeIfAbsent(change.tableId(), id -> store.table(id).orElse(null));
    }
    write(commit, tables);
  }

  private synchronized void write(Commit commit, Map<Integer, TableInfo> tables) {
    LogLsn begin = lsns.next();
    List<RowOperation> operations = new ArrayList<>();
    List<RowChange> changes = commit.changes();
    for (int from = 0; from < changes.size(); ) {
      int to = endOfStatement(changes, from);
      operations.addAll(log(changes.subList(from, to), tables));
      from = to;
    }
    LogLsn lsn = lsns.commit();
    if (!operations.isEmpty()) {
      pending.add(new LogRecord.Committed(lsn, begin, commit, operations));
    }
  }

  /** Makes an instance live: commits from here on are captured for it. */
  synchronized CaptureInstance enable(Function<LogLsn, CaptureInstance> creation) {
    LogLsn lsn = lsns.commit();
    CaptureInstance instance = creation.apply(lsn);
    instances.add(instance);
    pending.add(new LogRecord.InstanceEnabled(lsn, instance));
    return instance;
  }

  synchronized void altered(
      int tableId, String command, LocalDateTime at, Map<Integer, DataType> retyped) {
    LogLsn begin = lsns.next();
    LogLsn lsn = lsns.commit();
    if (!instances.ofTable(tableId).isEmpty()) {
      pending.add(new LogRecord.TableAltered(lsn, begin, tableId, command, at, retyped));
    }
  }

  synchronized List<LogRecord> peek(int max) {
    return pending.stream().limit(max).toList();
  }

  synchronized void truncate(List<LogRecord> captured) {
    captured.forEach(record -> pending.removeFirst());
  }

  synchronized void clear() {
    pending.clear();
  }

  /** The last position of a log that holds nothing to capture; empty if it does. */
  synchronized Optional<LogLsn> flushed() {
    return pending.isEmpty() ? Optional.of(lsns.commit()) : Optional.empty();
  }

  private List<RowOperation> log(List<RowChange> statement, Map<Integer, TableInfo> tables) {
    int tableId = statement.get(0).tableId();
    TableInfo table = tables.get(tableId);
    if (table == null || instances.ofTable(tableId).isEmpty()) {
      statement.forEach(change -> lsns.next());
      return List.of();
    }
    return writer.write(table, statement);
  }

  private static int endOfStatement(List<RowChange> changes, int from) {
    RowChange first = changes.get(from);
    int to = from + 1;
    while (to < changes.size()
        && changes.get(to).statement() == first.statement()
        && changes.get(to).tableId() == first.tableId()) {
      to++;
    }
    return to;
  }
}
