package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.engine.CommitListener.RowChange;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Catalog;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Definition.Verb;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One database: catalogue, storage, procedures and the order of its commits. Thread-safe. */
final class Database implements DatabaseStore, AutoCloseable {
  private final int id;
  private final String name;
  private final ServerClock clock;
  private final LocalDateTime createdAt;
  private final Catalog catalog;
  private final Storage storage;
  private final ChangeRecorder recorder;
  private final String recorderKey = UUID.randomUUID().toString();
  private final TableLocks locks = new TableLocks();
  private final Map<String, SystemProcedure> procedures = new ConcurrentHashMap<>();
  private final AtomicLong lastTransaction = new AtomicLong(1000);
  private final ReentrantLock commits = new ReentrantLock(true);
  private volatile @Nullable CommitListener listener;
  private volatile @Nullable DatabaseExtension extension;
  private volatile boolean snapshotAllowed;
  private volatile boolean readCommittedSnapshot;

  Database(int id, String name, String collation, ServerClock clock) {
    this.id = id;
    this.name = name;
    this.clock = clock;
    this.createdAt = clock.local();
    this.catalog = new Catalog(collation);
    this.storage = new Storage(catalog);
    this.recorder = new ChangeRecorder(catalog);
    JvmRegistry.shared(ChangeRecorder.class, recorderKey, () -> recorder);
  }

  int id() {
    return id;
  }

  LocalDateTime createdAt() {
    return createdAt;
  }

  Catalog catalog() {
    return catalog;
  }

  Storage storage() {
    return storage;
  }

  ChangeRecorder recorder() {
    return recorder;
  }

  String recorderKey() {
    return recorderKey;
  }

  TableLocks locks() {
    return locks;
  }

  boolean snapshotAllowed() {
    return snapshotAllowed;
  }

  void allowSnapshot(boolean allowed) {
    snapshotAllowed = allowed;
  }

  boolean readCommittedSnapshot() {
    return readCommittedSnapshot;
  }

  void setReadCommittedSnapshot(boolean on) {
    readCommittedSnapshot = on;
  }

  Optional<DatabaseExtension> extension() {
    return Optional.ofNullable(extension);
  }

  void extend(@Nullable DatabaseExtension newExtension) {
    extension = newExtension;
  }

  Optional<SystemProcedure> procedure(String procedure) {
    return Optional.ofNullable(procedures.get(procedure.toLowerCase(Locale.ROOT)));
  }

  /** Commits in H2 and tells the listener, both before any other commit of this database. */
  void commit(Connection connection, LocalDateTime beganAt, List<RowChange> changes)
      throws SQLException {
    if (changes.isEmpty()) {
      connection.commit();
      return;
    }
    commits.lock();
    try {
      connection.commit();
      CommitListener told = listener;
      if (told != null) {
        told.committed(
            new CommitListener.Commit(
                lastTransaction.incrementAndGet(), beganAt, now(), new ArrayList<>(changes)));
      }
    } finally {
      commits.unlock();
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<TableInfo> table(String schema, String table) {
    return catalog.table(schema, table).map(TableInfos::of);
  }

  @Override
  public Optional<TableInfo> table(int objectId) {
    return catalog.table(objectId).map(TableInfos::of);
  }

  @Override
  public boolean sameName(String a, String b) {
    return catalog.names().same(a, b);
  }

  @Override
  public void createSchema(String schema) {
    if (catalog.addSchema(schema)) {
      run("CREATE SCHEMA IF NOT EXISTS " + Table.quote(schema));
    }
  }

  @Override
  public void createRole(String role) {
    catalog.security().addRole(role);
  }

  @Override
  public int createSystemTable(
      String schema, String table, List<Column> columns, List<String> uniqueKey) {
    int objectId = catalog.nextObjectId();
    Table created =
        TableInfos.systemTable(objectId, schema, table, columns, uniqueKey, now(), catalog.names());
    TableStore.create(created, "").forEach(this::run);
    catalog.put(created);
    return objectId;
  }

  @Override
  public void retypeColumn(int objectId, String column, DataType type) {
    Table table = catalog.table(objectId).orElseThrow();
    Table.Column old = table.column(column).orElseThrow();
    Table.Column changed = old.withType(type, old.nullable());
    TableStore.alterColumn(table, changed).forEach(this::run);
    List<Table.Column> columns = new ArrayList<>(table.columns());
    columns.replaceAll(each -> each == old ? changed : each);
    catalog.put(table.withColumns(columns, table.lastColumnId()));
  }

  @Override
  public void dropTable(int objectId) {
    catalog
        .table(objectId)
        .ifPresent(
            table -> {
              catalog.remove(objectId);
              run(TableStore.drop(table));
            });
  }

  @Override
  public void grantSelectToPublic(int objectId) {
    catalog.security().record(Verb.GRANT, "SELECT", "public", "O" + objectId, List.of());
  }

  private void run(String sql) {
    storage.update(List.of(new Statement(sql, List.of())));
  }

  @Override
  public void update(List<Statement> statements) {
    storage.update(statements);
  }

  @Override
  public List<@Nullable Object[]> query(String sql, @Nullable Object... arguments) {
    return storage.query(sql, arguments);
  }

  @Override
  public LocalDateTime now() {
    return clock.local();
  }

  @Override
  public void listen(@Nullable CommitListener newListener) {
    commits.lock();
    try {
      listener = newListener;
    } finally {
      commits.unlock();
    }
  }

  @Override
  public void register(SystemProcedure procedure) {
    String procedureName = procedure.name().toLowerCase(Locale.ROOT);
    procedures.put(procedureName.substring(procedureName.lastIndexOf('.') + 1), procedure);
  }

  @Override
  public void close() {
    storage.close();
    JvmRegistry.remove(ChangeRecorder.class, recorderKey);
  }
}
