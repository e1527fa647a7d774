package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore.Statement;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * CDC's state in one database. What scans, cleans up or changes instances holds one lock, so that a
 * change table never vanishes under a scan; reading functions don't take it. Thread-safe.
 */
final class CdcDatabase {
  private final ReentrantLock lock = new ReentrantLock();
  private final DatabaseStore store;
  private final CdcSettings settings;
  private final InstanceCatalog instances;
  private final MetadataSchema schema;
  private final InstanceMetadata metadata;
  private final LsnTimeMapping map;
  private final CommitLog log;
  private final CaptureScan scan;
  private final Cleanup cleanup;
  private final Jobs jobs = new Jobs();
  private volatile boolean enabled;

  CdcDatabase(DatabaseStore store, CdcSettings settings) {
    this.store = store;
    this.instances = new InstanceCatalog(store::sameName);
    this.settings = settings;
    this.schema = new MetadataSchema(store);
    this.metadata = new InstanceMetadata(store);
    this.map = new LsnTimeMapping(store);
    this.log = new CommitLog(store, instances, settings);
    this.scan = new CaptureScan(store, log, instances, metadata, map, settings);
    this.cleanup = new Cleanup(store, instances, metadata, map);
  }

  String name() {
    return store.name();
  }

  DatabaseStore store() {
    return store;
  }

  InstanceCatalog instances() {
    return instances;
  }

  InstanceMetadata metadata() {
    return metadata;
  }

  LsnTimeMapping map() {
    return map;
  }

  Jobs jobs() {
    return jobs;
  }

  boolean enabled() {
    return enabled;
  }

  void requireEnabled() throws SqlServerError {
    if (!enabled) {
      throw CdcErrors.notEnabled(name());
    }
  }

  /**
   * @return false if it was enabled already
   */
  boolean enable() {
    return locked(
        () -> {
          if (enabled) {
            return false;
          }
          schema.create(settings.lsnMapAccess());
          store.listen(log);
          enabled = true;
          return true;
        });
  }

  void disable() {
    locked(
        () -> {
          if (enabled) {
            enabled = false;
            store.listen(null);
            instances.all().forEach(this::dropInstance);
            schema.drop();
          }
          return null;
        });
  }

  /** Its source table as it is called now: an instance keeps its own name when that is renamed. */
  TableInfo source(CaptureInstance instance) {
    return store.table(instance.sourceTableId()).orElseThrow();
  }

  CaptureInstance create(InstanceSpec spec) {
    return locked(
        () -> {
          if (spec.role() != null) {
            store.createRole(spec.role());
          }
          int changeTable =
              store.createSystemTable(
                  Sql.SCHEMA,
                  spec.name() + "_CT",
                  ChangeTable.columns(spec.columns(), settings.commandIds()),
                  ChangeTable.clusteredKey(settings.commandIds()));
          CaptureInstance instance = log.enable(lsn -> instance(spec, changeTable, lsn));
          store.update(metadata.insert(instance));
          return instance;
        });
  }

  void drop(CaptureInstance instance) {
    locked(
        () -> {
          dropInstance(instance);
          return null;
        });
  }

  void tableDropped(int tableId) {
    instances.ofTable(tableId).forEach(this::drop);
  }

  void tableAltered(int tableId, String command, Map<Integer, DataType> retyped) {
    if (enabled) {
      log.altered(tableId, command, store.now(), retyped);
    }
  }

  /**
   * One scan of at most so many transactions.
   *
   * @return how many were captured
   */
  int scan(int maxTransactions) {
    // without an instance there is no capture job
    return locked(() -> instances.all().isEmpty() ? 0 : scan.run(maxTransactions));
  }

  void markIdle() {
    locked(
        () -> {
          if (!instances.all().isEmpty()) {
            scan.markIdle();
          }
          return null;
        });
  }

  void cleanup(CleanupStep step) {
    locked(
        () -> {
          if (enabled) {
            step.run(cleanup);
          }
          return null;
        });
  }

  private CaptureInstance instance(InstanceSpec spec, int changeTable, LogLsn lsn) {
    LocalDateTime created = ColumnValues.datetime(store.now());
    return new CaptureInstance(
        spec.name(),
        changeTable,
        spec.source().objectId(),
        spec.source().schema(),
        spec.source().name(),
        List.copyOf(spec.columns()),
        spec.index(),
        spec.keyColumnIds(),
        spec.role(),
        spec.filegroup(),
        spec.supportsNetChanges(),
        spec.partitionSwitch(),
        created,
        lsn);
  }

  private void dropInstance(CaptureInstance instance) {
    instances.remove(instance);
    List<Statement> statements = new ArrayList<>(metadata.delete(instance));
    if (instances.all().isEmpty()) {
      log.clear();
      statements.add(map.clear());
    }
    store.update(statements);
    store.dropTable(instance.changeTableId());
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /** A step of the cleanup. */
  interface CleanupStep {
    void run(Cleanup cleanup);
  }
}
