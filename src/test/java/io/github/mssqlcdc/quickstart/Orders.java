package io.github.mssqlcdc.quickstart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The orders table and what happens to it, as T-SQL that any SQL Server takes. */
final class Orders {
  /** Orders that are there before CDC is. */
  static final int OLD_ROWS = 10_000;

  /** The order whose history is shown. */
  static final int WATCHED_KEY = 42;

  /** Columns in the order of the table. */
  static final List<String> COLUMNS =
      List.of(
          "order_id",
          "order_ref",
          "customer_id",
          "status",
          "items",
          "express",
          "currency",
          "amount",
          "discount",
          "note",
          "ordered_at",
          "shipped_on");

  // SQL Server takes at most 1,000 rows in one VALUES
  private static final int ROWS_PER_INSERT = 1_000;
  private static final List<String> STATUS = List.of("new", "paid", "packed", "shipped");
  private static final List<String> CURRENCY = List.of("EUR", "USD", "BRL", "JPY");

  private final String table;

  Orders(String tableName) {
    this.table = "[dbo].[" + tableName + "]";
  }

  String create() {
    return """
        CREATE TABLE %s (
          order_id int NOT NULL PRIMARY KEY,
          order_ref uniqueidentifier NOT NULL,
          customer_id bigint NOT NULL,
          status varchar(12) NOT NULL,
          items smallint NOT NULL,
          express bit NOT NULL,
          currency char(3) NOT NULL,
          amount decimal(12,2) NOT NULL,
          discount decimal(5,4) NULL,
          note nvarchar(200) NULL,
          ordered_at datetime2(3) NOT NULL,
          shipped_on date NULL)"""
        .formatted(table);
  }

  /** Orders 1 to {@link #OLD_ROWS}. */
  List<String> oldRows() {
    List<String> batches = new ArrayList<>();
    for (int first = 1; first <= OLD_ROWS; first += ROWS_PER_INSERT) {
      batches.add(insert(first, ROWS_PER_INSERT));
    }
    return batches;
  }

  static String enableCdc(String tableName) {
    return "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
        + tableName
        + "', @role_name = NULL, @supports_net_changes = 0";
  }

  /**
   * Inserts, updates, deletes, a change of a key, and a transaction of several statements.
   *
   * @param round from 1; each round works on orders of its own, but for the watched one
   */
  List<String> round(int round) {
    int fresh = OLD_ROWS + 100 * round;
    int old = 100 * (round % 90 + 1);
    return List.of(
        insert(fresh, 20),
        update("status = 'shipped', shipped_on = '2026-03-14'", old, old + 24),
        update(
            "status = 'packed', note = N'gift wrap, round " + round + "'",
            WATCHED_KEY,
            WATCHED_KEY),
        delete(old + 30, old + 34),
        update("order_id = order_id + 1000000", old + 40, old + 40),
        String.join(
            ";\n",
            "BEGIN TRANSACTION",
            insert(fresh + 50, 3),
            update("amount = amount - 10.00, discount = 0.0500", WATCHED_KEY, WATCHED_KEY),
            update("express = 1", fresh + 50, fresh + 51),
            delete(fresh + 52, fresh + 52),
            update("note = N'round " + round + " done'", WATCHED_KEY, WATCHED_KEY),
            "COMMIT TRANSACTION"));
  }

  private String insert(int first, int count) {
    List<String> rows = new ArrayList<>(count);
    for (int id = first; id < first + count; id++) {
      rows.add(row(id));
    }
    return "INSERT INTO "
        + table
        + " ("
        + String.join(", ", COLUMNS)
        + ") VALUES\n"
        + String.join(",\n", rows);
  }

  private String update(String set, int from, int to) {
    return "UPDATE " + table + " SET " + set + " WHERE order_id BETWEEN " + from + " AND " + to;
  }

  private String delete(int from, int to) {
    return "DELETE FROM " + table + " WHERE order_id BETWEEN " + from + " AND " + to;
  }

  /** A row that depends on its id alone. */
  private static String row(int id) {
    boolean shipped = id % 4 == 3;
    return String.format(
        Locale.ROOT,
        "(%d, '%08X-7A3C-4D51-9E20-%012X', %d, '%s', %d, %d, '%s', %d.%02d, %s, %s, '%s', %s)",
        id,
        id * 2_654_435,
        id * 40_503L,
        id * 7_919L % 3_000 + 5_000_000_000L,
        STATUS.get(id % 4),
        id % 9 + 1,
        id % 11 == 0 ? 1 : 0,
        CURRENCY.get(id % 13 % 4),
        id * 37L % 2_000 + 20,
        id % 100,
        id % 5 == 0 ? "0.1000" : "NULL",
        id % 17 == 0 ? "N'Straße " + id + ", São Paulo'" : "NULL",
        String.format(
            Locale.ROOT,
            "2026-%02d-%02dT%02d:%02d:00.%03d",
            id % 2 + 1,
            id % 28 + 1,
            id % 24,
            id % 60,
            id % 1000),
        shipped ? String.format(Locale.ROOT, "'2026-03-%02d'", id % 28 + 1) : "NULL");
  }
}
