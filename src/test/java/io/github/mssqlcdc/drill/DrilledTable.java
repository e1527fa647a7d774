package io.github.mssqlcdc.drill;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.testkit.contract.RestorableDatabase;
import io.github.mssqlcdc.testkit.contract.RestorableDatabase.Cdc;
import io.github.mssqlcdc.testkit.history.Life;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table {@code dbo.orders} on the stand-in, to which a {@link Life} happens by T-SQL. Beside the
 * database it keeps what a restore has to bring back, and when each value was written. Not
 * thread-safe.
 */
final class DrilledTable implements AutoCloseable {
  /** Leads to the table's newest instance, too, once the one of this name is gone. */
  static final String INSTANCE = "dbo_orders";

  private static final int FIRST_ROWS = 3;

  private final RestorableDatabase database = new RestorableDatabase();
  private State now = new State(new LinkedHashMap<>(), new ArrayList<>(), new TreeMap<>());
  private @Nullable State kept;
  private int backup;
  private int made;
  private int values;

  /**
   * A capture instance.
   *
   * @param columns each with its number: one of the same name that is made later has another
   */
  private record Instance(String name, Map<String, Integer> columns) {}

  /**
   * What a restore brings back.
   *
   * @param columns of the table but for the key, likewise
   * @param written by key and column, which commit has written the value
   */
  private record State(
      Map<String, Integer> columns,
      List<Instance> instances,
      NavigableMap<Integer, Map<String, Lsn>> written) {
    State copy() {
      NavigableMap<Integer, Map<String, Lsn>> all = new TreeMap<>();
      written.forEach((key, row) -> all.put(key, new HashMap<>(row)));
      return new State(new LinkedHashMap<>(columns), new ArrayList<>(instances), all);
    }
  }

  DrilledTable() {
    run(
        "CREATE TABLE dbo.other (id int IDENTITY PRIMARY KEY, name nvarchar(9))",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'other',"
            + " @role_name = NULL");
    now.columns.put("name", 0);
    create();
    for (int key = 0; key < FIRST_ROWS; key++) {
      put(key);
    }
  }

  private void run(String... batches) {
    for (String batch : batches) {
      database.run(batch);
    }
    database.awaitCapture();
  }

  private Lsn newest() {
    byte[] max = (byte[]) database.query("SELECT sys.fn_cdc_get_max_lsn()").get(0).get(0);
    return max == null ? Lsn.ZERO : Lsn.of(max);
  }

  private void create() {
    run(
        "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, "
            + now.columns.keySet().stream()
                .map(column -> column + " nvarchar(50) NULL")
                .collect(Collectors.joining(", "))
            + ")");
    enable();
  }

  /** Options of the library's formats. */
  Map<String, String> options() {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", INSTANCE);
    options.put("pollInterval", "1ms");
    options.put("numPartitions", "2");
    return options;
  }

  /** Columns, but for the key, that the table has and its newest instance captures. */
  List<String> columns() {
    Instance newest = now.instances.get(now.instances.size() - 1);
    return now.columns.entrySet().stream()
        .filter(column -> column.getValue().equals(newest.columns.get(column.getKey())))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The rows, values of {@link #columns} by key. */
  Map<Integer, Map<String, @Nullable String>> rows() {
    List<String> columns = columns();
    Map<Integer, Map<String, @Nullable String>> rows = new TreeMap<>();
    for (List<Object> row :
        database.query("SELECT " + String.join(", ", withKey(columns)) + " FROM dbo.orders")) {
      Map<String, @Nullable String> values = new HashMap<>();
      for (int i = 0; i < columns.size(); i++) {
        values.put(columns.get(i), (String) row.get(i + 1));
      }
      rows.put((Integer) row.get(0), values);
    }
    return rows;
  }

  static List<String> withKey(List<String> columns) {
    List<String> all = new ArrayList<>(List.of("id"));
    all.addAll(columns);
    return all;
  }

  /** Which commit has written a value that is there. */
  Lsn written(int key, String column) {
    return Objects.requireNonNull(Objects.requireNonNull(now.written.get(key)).get(column));
  }

  void act(Life.Step step) {
    int number = step.number();
    switch (step.act()) {
      case PUT -> put(number);
      case UPDATE -> update(number);
      case DELETE -> delete(number);
      case ALTER -> alter(number % 2 == 0 ? "a" : "b");
      case ENABLE -> enable();
      case DISABLE_OLDER -> disableOlder();
      case RECREATE -> recreate();
      case RECREATE_TABLE -> recreateTable();
      case CLEAN_UP -> cleanUp(number);
      case BACK_UP -> backUp();
      case RESTORE -> restore();
      default -> idle();
    }
  }

  void idle() {
    run("INSERT INTO dbo.other (name) VALUES (N'x')");
  }

  void put(int key) {
    Map<String, String> row = new LinkedHashMap<>();
    now.columns.keySet().forEach(column -> row.put(column, value()));
    if (now.written.containsKey(key)) {
      set(key, row);
    } else {
      run(
          "INSERT INTO dbo.orders ("
              + String.join(", ", withKey(List.copyOf(row.keySet())))
              + ") VALUES ("
              + key
              + ", "
              + String.join(", ", row.values())
              + ")");
      written(key, row);
    }
  }

  /** The last column alone. */
  private void update(int key) {
    if (now.written.containsKey(key)) {
      List<String> columns = List.copyOf(now.columns.keySet());
      set(key, Map.of(columns.get(columns.size() - 1), value()));
    }
  }

  private void set(int key, Map<String, String> row) {
    run(
        "UPDATE dbo.orders SET "
            + row.entrySet().stream()
                .map(column -> column.getKey() + " = " + column.getValue())
                .collect(Collectors.joining(", "))
            + " WHERE id = "
            + key);
    written(key, row);
  }

  private void written(int key, Map<String, String> row) {
    Lsn at = newest();
    Map<String, Lsn> written = now.written.computeIfAbsent(key, one -> new HashMap<>());
    row.keySet().forEach(column -> written.put(column, at));
  }

  private String value() {
    return "N'v" + values++ + "'";
  }

  private void delete(int key) {
    if (now.written.remove(key) != null) {
      run("DELETE FROM dbo.orders WHERE id = " + key);
    }
  }

  private void alter(String column) {
    if (now.columns.remove(column) != null) {
      run("ALTER TABLE dbo.orders DROP COLUMN " + column);
      now.written.values().forEach(row -> row.remove(column));
    } else {
      run("ALTER TABLE dbo.orders ADD " + column + " nvarchar(50) NULL");
      now.columns.put(column, ++made);
      Lsn at = newest();
      now.written.values().forEach(row -> row.put(column, at));
    }
  }

  private void enable() {
    disableOlder();
    String name = made == 0 ? INSTANCE : "orders_v" + made;
    made++;
    run(
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @capture_instance = N'"
            + name
            + "', @role_name = NULL");
    now.instances.add(new Instance(name, new HashMap<>(now.columns)));
  }

  private void disableOlder() {
    if (now.instances.size() == 2) {
      disable(now.instances.remove(0));
    }
  }

  private void disable(Instance instance) {
    run(
        "EXEC sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @capture_instance = N'"
            + instance.name
            + "'");
  }

  private void recreate() {
    now.instances.forEach(this::disable);
    now.instances.clear();
    enable();
  }

  private void recreateTable() {
    run("DROP TABLE dbo.orders");
    now.instances.clear();
    now.written.clear();
    create();
  }

  private void cleanUp(int percent) {
    List<List<Object>> entries =
        database.query("SELECT start_lsn FROM cdc.lsn_time_mapping ORDER BY start_lsn");
    int taken = entries.size() * percent / 100;
    if (taken > 0) {
      Lsn mark = Lsn.of((byte[]) entries.get(taken - 1).get(0));
      for (Instance instance : now.instances) {
        run(
            "EXEC sys.sp_cdc_cleanup_change_table @capture_instance = N'"
                + instance.name
                + "', @low_water_mark = "
                + mark);
      }
    }
  }

  private void backUp() {
    kept = now.copy();
    backup = database.backup();
  }

  private void restore() {
    if (kept != null) {
      database.restore(backup, Cdc.KEPT);
      now = kept.copy();
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
