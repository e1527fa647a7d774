package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.process.JavaProcess;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.StringJoiner;

/**
 * A stand-in in a process of its own, with a table of mixed columns under CDC. It answers its port.
 * Told so, it adds a commit of {@link #ROWS_PER_COMMIT} rows as often as it is told.
 */
final class GrowingServer {
  static final String DATABASE = "growing";
  static final String TABLE = "mixed";
  static final int ROWS_PER_COMMIT = 1_000;

  private static final List<String> COLUMNS =
      List.of(
          "id bigint NOT NULL PRIMARY KEY",
          "number int",
          "price decimal(18,4)",
          "paid money",
          "name nvarchar(40)",
          "code varchar(20)",
          "at datetime2(7)",
          "day date",
          "hash binary(10)",
          "uid uniqueidentifier",
          "flag bit",
          "share float");

  private final StandIn standIn = StandIn.builder().manualCapture().start();
  private final StandInDatabase database = StandInDatabase.create(standIn, DATABASE);
  private long rows = ROWS_PER_COMMIT;

  private GrowingServer() {
    StringJoiner values = new StringJoiner(", ", "INSERT INTO dbo." + TABLE + " VALUES ", "");
    for (int id = 1; id <= ROWS_PER_COMMIT; id++) {
      values.add(row(id));
    }
    database.run(
        "CREATE TABLE dbo." + TABLE + " (" + String.join(", ", COLUMNS) + ")",
        values.toString(),
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + TABLE
            + "', @role_name = NULL");
    database.awaitCapture();
  }

  /** Unused: it is told by lines. */
  public static void main(String[] args) throws IOException {
    GrowingServer server = new GrowingServer();
    System.out.println(JavaProcess.ANSWER + server.standIn.port());
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      server.grow(Integer.parseInt(line));
      System.out.println(JavaProcess.ANSWER + server.rows);
    }
    System.exit(0);
  }

  private void grow(int commits) {
    for (int commit = 0; commit < commits; commit++) {
      database.run(
          "INSERT INTO dbo.%s SELECT id + %d, number, price, paid, name, code, at, day, hash, uid, flag, share FROM dbo.%s WHERE id <= %d"
              .formatted(TABLE, rows, TABLE, ROWS_PER_COMMIT));
      rows += ROWS_PER_COMMIT;
    }
    database.awaitCapture();
    standIn.clearRequests();
  }

  /** A fifth of its values is NULL. */
  private static String row(int id) {
    List<String> values =
        List.of(
            String.valueOf(id * 37),
            id + ".1234",
            id + ".99",
            "N'customer number " + id + "'",
            "'code " + id + "'",
            "'2026-03-01T10:00:00.1234567'",
            "'2026-03-01'",
            "0x0102030405060708%04X".formatted(id),
            "'0E984725-C51C-4BF4-9960-%012d'".formatted(id),
            String.valueOf(id % 2),
            id + ".5E0");
    StringJoiner row = new StringJoiner(", ", "(" + id + ", ", ")");
    for (int i = 0; i < values.size(); i++) {
      row.add((id + i) % 5 == 0 ? "NULL" : values.get(i));
    }
    return row.toString();
  }
}
