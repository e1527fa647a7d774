package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Moves what is committed from the log into the change tables, in commit order and one storage
 * transaction per scan, so that no reader sees half of a scan. Not thread-safe: one scan at a time.
 */
final class CaptureScan {
  static final Duration IDLE = Duration.ofSeconds(300);

  private final DatabaseStore store;
  private final CommitLog log;
  private final InstanceCatalog instances;
  private final InstanceMetadata metadata;
  private final LsnTimeMapping map;
  private final CdcSettings settings;

  CaptureScan(
      DatabaseStore store,
      CommitLog log,
      InstanceCatalog instances,
      InstanceMetadata metadata,
      LsnTimeMapping map,
      CdcSettings settings) {
    this.store = store;
    this.log = log;
    this.instances = instances;
    this.metadata = metadata;
    this.map = map;
    this.settings = settings;
  }

  /**
   * Captures the oldest records of the log.
   *
   * @return how many: 0 if there was nothing to capture
   */
  int run(int maxTransactions) {
    List<LogRecord> records = log.peek(maxTransactions);
    if (records.isEmpty()) {
      return 0;
    }
    List<Statement> statements = new ArrayList<>();
    records.forEach(record -> statements.addAll(capture(record)));
    store.update(statements);
    log.truncate(records);
    return records.size();
  }

  /** Writes an entry without changes if the newest entry is old enough. */
  void markIdle() {
    LocalDateTime now = store.now();
    Optional<LocalDateTime> newest = map.newestEndTime();
    if (newest.isEmpty() || Duration.between(newest.get(), now).compareTo(IDLE) < 0) {
      return;
    }
    log.flushed().ifPresent(lsn -> store.update(List.of(map.idle(lsn, now))));
  }

  private List<Statement> capture(LogRecord record) {
    if (record instanceof LogRecord.Committed committed) {
      return changes(committed);
    }
    if (record instanceof LogRecord.TableAltered altered) {
      return altered(altered);
    }
    return enabled((LogRecord.InstanceEnabled) record);
  }

  private List<Statement> enabled(LogRecord.InstanceEnabled enabled) {
    // an instance dropped since has no row to update any more, yet its commit is in the log
    return List.of(
        metadata.setStartLsn(enabled.instance(), enabled.lsn().bytes()), map.enabled(enabled));
  }

  private List<Statement> altered(LogRecord.TableAltered altered) {
    List<Statement> statements = new ArrayList<>();
    for (CaptureInstance instance : live(altered.tableId(), altered.lsn())) {
      CaptureInstance retyped = instance.retyped(altered.retyped());
      boolean isRetyped = !retyped.columns().equals(instance.columns());
      if (isRetyped) {
        retype(instance, retyped);
        statements.addAll(metadata.columnTypes(retyped));
      }
      statements.add(metadata.ddl(instance, altered, isRetyped));
    }
    statements.add(map.altered(altered));
    return statements;
  }

  /** Ahead of the scan's rows: storage commits with a change of its structure. */
  private void retype(CaptureInstance before, CaptureInstance now) {
    for (int i = 0; i < now.columns().size(); i++) {
      if (!now.columns().get(i).equals(before.columns().get(i))) {
        store.retypeColumn(
            now.changeTableId(),
            now.columns().get(i).name(),
            ChangeTable.capturedType(now.columns().get(i).type()));
      }
    }
    instances.replace(before, now);
  }

  private List<Statement> changes(LogRecord.Committed committed) {
    List<Statement> statements = new ArrayList<>();
    TransactionRows rows = new TransactionRows(settings, committed.lsn());
    for (RowOperation operation : committed.operations()) {
      for (CaptureInstance instance : live(operation.table().objectId(), committed.lsn())) {
        statements.addAll(rows.of(operation, instance));
      }
    }
    statements.add(map.commit(committed));
    return statements;
  }

  private List<CaptureInstance> live(int tableId, LogLsn commit) {
    return instances.ofTable(tableId).stream()
        .filter(instance -> instance.enabledAt().compareTo(commit) < 0)
        .toList();
  }
}
