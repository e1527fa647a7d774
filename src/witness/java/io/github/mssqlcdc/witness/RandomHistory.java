package io.github.mssqlcdc.witness;

import io.github.mssqlcdc.testkit.contract.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** Random transactions over three tables, the same ones for the same seed. */
final class RandomHistory {
  static final List<String> TABLES = List.of("kinds", "notes", "orders");
  private static final int IDS = 40;

  private final Random random;
  private final TestDatabase database;

  /** By column: its type and, of what an update may set it to, SQL literals. */
  private final Map<String, Kind> kinds = kinds();

  private final Map<String, Kind> large = large();

  RandomHistory(TestDatabase database, long seed) {
    this.database = database;
    this.random = new Random(seed);
  }

  private record Kind(String type, List<String> literals) {}

  /** Makes the tables with a few rows each, then captures them. */
  void create() {
    database.run(
        "CREATE TABLE dbo.kinds (id int NOT NULL PRIMARY KEY, "
            + columns(kinds)
            + ", version_ rowversion)",
        // eight columns: Debezium 3.6 takes the bytes of a longer update mask in the other order
        "CREATE TABLE dbo.notes (id int NOT NULL PRIMARY KEY, " + columns(large) + ")",
        "CREATE TABLE dbo.orders (region int NOT NULL, id int NOT NULL, amount decimal(12, 2) NULL,"
            + " note nvarchar(50) NULL, PRIMARY KEY (region, id))");
    for (int id = 0; id < 5; id++) {
      database.run(insertKinds(id), insertNotes(id), insertOrders(id));
    }
    for (String table : TABLES) {
      database.run(
          "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
              + table
              + "', @role_name = NULL");
    }
    database.awaitCapture();
  }

  /** So many transactions of one to four statements; one in ten is rolled back. */
  void run(int transactions) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < transactions; i++) {
        int statements = 1 + random.nextInt(4);
        for (int j = 0; j < statements; j++) {
          statement.execute(statement());
        }
        if (random.nextInt(10) == 0) {
          connection.rollback();
        } else {
          connection.commit();
        }
      }
    }
    database.awaitCapture();
  }

  private String statement() {
    List<Supplier<String>> choices =
        List.of(
            () -> unless("kinds", "id", this::insertKinds),
            () -> unless("notes", "id", this::insertNotes),
            () -> unless("orders", "region = 1 AND id", this::insertOrders),
            () -> "UPDATE dbo.kinds SET " + set(kinds) + " WHERE id = " + id(),
            () -> "UPDATE dbo.kinds SET " + set(kinds) + " WHERE id % 7 = " + random.nextInt(7),
            () -> "UPDATE dbo.notes SET " + set(large) + " WHERE id = " + id(),
            () -> "UPDATE dbo.orders SET amount = amount + 1.5 WHERE id % 5 = " + random.nextInt(5),
            () -> "UPDATE dbo.orders SET note = N'n" + id() + "' WHERE id = " + id(),
            () -> move("kinds"),
            () -> move("notes"),
            () -> "UPDATE dbo.orders SET region = region + 1 WHERE id = " + id(),
            () -> "DELETE FROM dbo.kinds WHERE id = " + id(),
            () -> "DELETE FROM dbo.notes WHERE id = " + id(),
            () -> "DELETE FROM dbo.orders WHERE id % 9 = " + random.nextInt(9));
    return choices.get(random.nextInt(choices.size())).get();
  }

  private interface Insert {
    String of(int id);
  }

  private String unless(String table, String column, Insert insert) {
    int id = id();
    return "IF NOT EXISTS (SELECT 1 FROM dbo."
        + table
        + " WHERE "
        + column
        + " = "
        + id
        + ") "
        + insert.of(id);
  }

  /** An update of one row's key. */
  private String move(String table) {
    int to = id();
    return "IF NOT EXISTS (SELECT 1 FROM dbo."
        + table
        + " WHERE id = "
        + to
        + ") UPDATE dbo."
        + table
        + " SET id = "
        + to
        + " WHERE id = "
        + id();
  }

  private String insertKinds(int id) {
    return "INSERT INTO dbo.kinds (id, "
        + String.join(", ", kinds.keySet())
        + ") VALUES ("
        + id
        + ", "
        + literals(kinds)
        + ")";
  }

  private String insertNotes(int id) {
    return "INSERT INTO dbo.notes VALUES (" + id + ", " + literals(large) + ")";
  }

  private String insertOrders(int id) {
    return "INSERT INTO dbo.orders VALUES (1, " + id + ", " + random.nextInt(1000) + ".25, N'new')";
  }

  private int id() {
    return random.nextInt(IDS);
  }

  private String set(Map<String, Kind> columns) {
    List<String> names = new ArrayList<>(columns.keySet());
    String first = names.get(random.nextInt(names.size()));
    String second = names.get(random.nextInt(names.size()));
    String sets = first + " = " + literal(columns, first);
    return first.equals(second) ? sets : sets + ", " + second + " = " + literal(columns, second);
  }

  private String literal(Map<String, Kind> columns, String name) {
    List<String> literals = java.util.Objects.requireNonNull(columns.get(name)).literals();
    return random.nextInt(6) == 0 ? "NULL" : literals.get(random.nextInt(literals.size()));
  }

  private String literals(Map<String, Kind> columns) {
    return String.join(", ", columns.keySet().stream().map(c -> literal(columns, c)).toList());
  }

  private static String columns(Map<String, Kind> columns) {
    return String.join(
        ", ",
        columns.entrySet().stream()
            .map(each -> each.getKey() + " " + each.getValue().type() + " NULL")
            .toList());
  }

  private static Map<String, Kind> kinds() {
    Map<String, Kind> kinds = new LinkedHashMap<>();
    put(kinds, "bit", "0", "1");
    put(kinds, "tinyint", "0", "200", "255");
    put(kinds, "smallint", "-32768", "7", "32767");
    put(kinds, "int", "-2147483648", "7", "2147483647");
    put(kinds, "bigint", "-9223372036854775808", "7", "9223372036854775807");
    put(kinds, "real", "-1.5", "0.1", "3.4E38");
    put(kinds, "float", "-1.5", "0.1", "1.7E308");
    put(kinds, "decimal(38, 10)", "-1234567890123456789012345678.0123456789", "0.5");
    put(kinds, "numeric(9, 0)", "-999999999", "123456789");
    put(kinds, "money", "-922337203685477.5808", "1.05", "922337203685477.5807");
    put(kinds, "smallmoney", "-214748.3648", "1.05", "214748.3647");
    put(kinds, "date", "'1900-01-01'", "'2024-02-29'", "'9999-12-31'");
    put(kinds, "datetime", "'1753-01-01T00:00:00.003'", "'2024-02-29T13:50:01.997'");
    put(kinds, "smalldatetime", "'1900-01-01T00:00:00'", "'2079-06-06T23:59:00'");
    put(kinds, "datetime2(7)", "'1900-01-01T00:00:00.1234567'", "'2199-12-31T23:59:59.9999999'");
    put(kinds, "datetime2(3)", "'0001-01-01T00:00:00.001'", "'9999-12-31T23:59:59.999'");
    put(
        kinds,
        "datetimeoffset(7)",
        "'2024-02-29T13:50:01.1234567+05:30'",
        "'1900-01-01T00:00:00Z'");
    put(kinds, "time(7)", "'00:00:00'", "'13:50:01.1234567'", "'23:59:59.9999999'");
    put(kinds, "time(3)", "'00:00:00'", "'13:50:01.123'");
    put(kinds, "char(5)", "'a'", "'abcde'", "''");
    put(kinds, "varchar(20)", "'a '", "'äöü'", "''");
    put(kinds, "nchar(5)", "N'a'", "N'αβγδε'");
    put(kinds, "nvarchar(20)", "N'a '", "N'日本語'", "N''", "N'😀'");
    put(kinds, "uniqueidentifier", "'6F9619FF-8B86-D011-B42D-00C04FC964FF'");
    put(kinds, "binary(4)", "0x01", "0xFFFFFFFF");
    put(kinds, "varbinary(20)", "0x", "0x0102FF");
    return kinds;
  }

  private static Map<String, Kind> large() {
    Map<String, Kind> large = new LinkedHashMap<>();
    String many = "REPLICATE(CONVERT(nvarchar(max), N'ä'), 9000)";
    put(large, "nvarchar(max)", "N'a'", "N'日本語'", many);
    put(large, "varchar(max)", "'a'", "'b'");
    put(large, "varbinary(max)", "0x", "0x01FF");
    put(large, "xml", "N'<a/>'", "N'<b>1</b>'");
    put(large, "text", "'a'", "'b'");
    put(large, "ntext", "N'a'", "N'日本語'");
    put(large, "image", "0x01", "0x02FF");
    return large;
  }

  private static void put(Map<String, Kind> kinds, String type, String... literals) {
    String name = "c" + kinds.size() + "_" + type.replaceAll("\\W+", "");
    kinds.put(name, new Kind(type, List.of(literals)));
  }
}
