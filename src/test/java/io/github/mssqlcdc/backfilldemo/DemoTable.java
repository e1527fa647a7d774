package io.github.mssqlcdc.backfilldemo;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * A table of orders in the stand-in, and writers at work on it.
 *
 * @param partitions how many chunks are read at a time
 */
record DemoTable(StandInDatabase database, int partitions) {
  private static final int FIRST = 1000;

  /** So many orders, or a few more, before CDC is enabled: they are in no change table. */
  void make(long rows) {
    database.run(
        "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, customer nvarchar(40) NULL, amount"
            + " int NOT NULL)");
    StringBuilder values =
        new StringBuilder("INSERT INTO dbo.orders (id, customer, amount) VALUES ");
    for (int id = 1; id <= FIRST; id++) {
      values.append(id == 1 ? "" : ", ").append("(" + id + ", N'customer " + id + "', " + id + ")");
    }
    database.run(values.toString());
    for (long there = FIRST; there < rows; there *= 2) {
      database.run(
          "INSERT INTO dbo.orders (id, customer, amount) SELECT id + "
              + there
              + ", customer, amount FROM dbo.orders WHERE id <= "
              + (Math.min(rows, 2 * there) - there));
    }
    database.run(
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders', @role_name"
            + " = NULL");
  }

  Map<String, String> options() {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_orders");
    options.put("numPartitions", String.valueOf(partitions));
    return options;
  }

  /** A few commits: updates, deletes, moved keys, inserts among the orders and above them. */
  void write(Random random, int rows) {
    int id = 1 + random.nextInt(rows);
    int above = 2 * rows + random.nextInt(Integer.MAX_VALUE / 2);
    switch (random.nextInt(4)) {
      case 0 -> database.run("UPDATE dbo.orders SET amount = amount + 1 WHERE id = " + id);
      case 1 -> database.run("DELETE FROM dbo.orders WHERE id = " + id);
      case 2 ->
          database.run(
              "DELETE FROM dbo.orders WHERE id IN (" + id + ", " + above + ")",
              "INSERT INTO dbo.orders VALUES ("
                  + id
                  + ", N'again', 1), ("
                  + above
                  + ", N'new', 1)");
      default -> database.run("UPDATE dbo.orders SET id = " + above + " WHERE id = " + id);
    }
  }

  /** Writes all rows as lines of id, customer and amount. */
  long dump(Path file) {
    long rows = 0;
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT id, customer, amount FROM dbo.orders");
        Writer lines = Files.newBufferedWriter(file)) {
      while (row.next()) {
        lines.write(row.getInt(1) + "|" + row.getString(2) + "|" + row.getInt(3) + "\n");
        rows++;
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to read the table", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
