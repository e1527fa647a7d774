package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.ManualClock;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.CommitListener.Commit;
import io.github.mssqlcdc.testkit.sqlserver.engine.CommitListener.RowChange;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.UniqueIndex;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A database with CDC on and {@code dbo.orders (id int key, name nvarchar(50))}. */
final class CdcFixture implements AutoCloseable {
  static final int ORDERS = 1;
  final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T10:00:00.001Z"));
  final PlainStore store;
  final CdcEngine cdc;
  private long lastTransaction = 100;

  CdcFixture() {
    this(CdcSettings.defaults());
  }

  CdcFixture(CdcSettings settings) {
    try {
      store = new PlainStore(clock);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    cdc = CdcEngine.install(store, settings);
    table(
        ORDERS,
        "orders",
        List.of(key("PK_orders", "id")),
        column(1, "id", DataType.of(SqlTypeName.INT)),
        column(2, "name", DataType.of(SqlTypeName.NVARCHAR, 50)));
    cdc.enableDatabase();
  }

  TableInfo table(int id, String name, List<UniqueIndex> indexes, ColumnInfo... columns) {
    TableInfo table = new TableInfo(id, "dbo", name, List.of(columns), indexes);
    store.tables.put(id, table);
    return table;
  }

  static UniqueIndex key(String name, String... columns) {
    return new UniqueIndex(name, true, List.of(columns));
  }

  static ColumnInfo column(int id, String name, DataType type) {
    return new ColumnInfo(id, name, type, false, false, false);
  }

  SessionContext admin() {
    return Caller.sysadmin(store);
  }

  /** Enables CDC on a table of dbo with these further arguments, and lets capture see it. */
  CdcFixture enable(String table, Object... namesAndValues) {
    enableUnseen(table, namesAndValues);
    cdc.capture();
    return this;
  }

  void enableUnseen(String table, Object... namesAndValues) {
    try {
      enableAs(admin(), table, namesAndValues);
    } catch (SqlServerError e) {
      throw new AssertionError(e);
    }
  }

  void enableAs(SessionContext session, String table, Object... namesAndValues)
      throws SqlServerError {
    Map<String, @Nullable Object> arguments = new HashMap<>();
    arguments.put("@source_schema", "dbo");
    arguments.put("@source_name", table);
    arguments.put("@role_name", null);
    arguments.putAll(arguments(namesAndValues));
    call(session, "sp_cdc_enable_table", arguments);
  }

  RecordedResult exec(String procedure, Object... namesAndValues) throws SqlServerError {
    return exec(admin(), procedure, namesAndValues);
  }

  RecordedResult exec(SessionContext session, String procedure, Object... namesAndValues)
      throws SqlServerError {
    return call(session, procedure, arguments(namesAndValues));
  }

  private RecordedResult call(
      SessionContext session, String procedure, Map<String, @Nullable Object> arguments)
      throws SqlServerError {
    RecordedResult result = new RecordedResult();
    Objects.requireNonNull(store.procedures.get("sys." + procedure))
        .call(session, arguments, result);
    return result;
  }

  private static Map<String, @Nullable Object> arguments(Object... namesAndValues) {
    Map<String, @Nullable Object> arguments = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      arguments.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return arguments;
  }

  static RowChange inserted(int table, int statement, Object... row) {
    return new RowChange(table, statement, null, row);
  }

  static RowChange deleted(int table, int statement, Object... row) {
    return new RowChange(table, statement, row, null);
  }

  static RowChange updated(int table, int statement, Object[] before, Object[] after) {
    return new RowChange(table, statement, before, after);
  }

  static @Nullable Object[] row(@Nullable Object... values) {
    return values;
  }

  /** Commits a transaction at the clock's time. */
  void commit(RowChange... changes) {
    LocalDateTime now = store.now();
    if (store.listener != null) {
      store.listener.committed(new Commit(++lastTransaction, now, now, List.of(changes)));
    }
  }

  /** Rows of a query, binary as hex. */
  List<List<@Nullable Object>> query(String sql) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (@Nullable Object[] row : store.query(sql)) {
      List<@Nullable Object> values = new ArrayList<>();
      for (Object value : row) {
        values.add(value instanceof byte[] bytes ? hex(bytes) : value);
      }
      rows.add(values);
    }
    return rows;
  }

  /** Change rows of an instance in the clustered order. */
  List<List<@Nullable Object>> changes(String instance, String columns) {
    return query(
        "SELECT "
            + columns
            + " FROM cdc."
            + instance
            + "_CT ORDER BY __$start_lsn, __$command_id, __$seqval, __$operation");
  }

  static @Nullable String hex(byte @Nullable [] bytes) {
    return bytes == null ? null : HexFormat.of().formatHex(bytes);
  }

  @Override
  public void close() throws SQLException {
    store.close();
  }
}
