package io.github.mssqlcdc.quickstart;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** Compares the tables with the source by plain SQL; uses nothing of the library. */
final class Judge {
  private static final int EXAMPLES = 5;

  private static final StructType SCHEMA =
      StructType.fromDDL(
          "order_id INT, order_ref STRING, customer_id BIGINT, status STRING, items SMALLINT,"
              + " express BOOLEAN, currency STRING, amount DECIMAL(12,2), discount DECIMAL(5,4),"
              + " note STRING, ordered_at TIMESTAMP_NTZ, shipped_on DATE");

  // order of images: history, LSN, command, place in the command, operation
  private static final String LATEST =
      """
      SELECT %1$s FROM (
        SELECT *, row_number() OVER (
          PARTITION BY order_id
          ORDER BY _history DESC, _start_lsn DESC, _command_id DESC NULLS LAST,
                   _seqval DESC NULLS LAST, _operation DESC) AS _nth
        FROM bronze)
      WHERE _nth = 1 AND _operation <> 1\
      """
          .formatted(String.join(", ", Orders.COLUMNS));

  private static final String SILVER =
      "SELECT " + String.join(", ", Orders.COLUMNS) + " FROM silver";

  private final SparkSession spark;
  private final OrdersSource source;

  Judge(SparkSession spark, OrdersSource source) {
    this.spark = spark;
    this.source = source;
  }

  /** Whether the latest image per key in bronze equals the source table, row by row. */
  Verdict latestEqualsSource() {
    return equalsSource("bronze", spark.sql(LATEST));
  }

  /** Whether silver equals the source table, row by row. */
  Verdict silverEqualsSource() {
    return equalsSource("silver", spark.sql(SILVER));
  }

  private Verdict equalsSource(String name, Dataset<Row> latest) {
    Dataset<Row> table = readSource();
    table.createOrReplaceTempView("source_orders");
    latest.createOrReplaceTempView("latest_orders");
    List<String> differences = new ArrayList<>();
    if (!types(latest.schema()).equals(types(SCHEMA))) {
      differences.add(
          name + "'s columns are " + types(latest.schema()) + " and should be " + types(SCHEMA));
    }
    differences.addAll(missing("only in the source", "source_orders", "latest_orders"));
    differences.addAll(missing("only in " + name, "latest_orders", "source_orders"));
    return new Verdict(table.count(), latest.count(), differences);
  }

  /** The source table as it is now, in memory. */
  Dataset<Row> readSource() {
    List<Row> rows =
        Jdbc.query(
            source,
            "SELECT " + String.join(", ", Orders.COLUMNS) + " FROM [dbo].[" + source.table() + "]",
            Judge::order);
    return spark.createDataFrame(rows, SCHEMA);
  }

  /** Change rows that the server holds above an LSN; all if it is empty. */
  long changesAfter(String lsn) {
    String where = lsn.isEmpty() ? "" : " WHERE [__$start_lsn] > " + lsn;
    return Jdbc.number(
        source, "SELECT COUNT(*) FROM [cdc].[" + source.captureInstance() + "_CT]" + where);
  }

  private List<String> missing(String where, String from, String in) {
    Dataset<Row> rows =
        spark.sql("SELECT * FROM " + from + " EXCEPT ALL SELECT * FROM " + in).cache();
    long count = rows.count();
    if (count == 0) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    lines.add(count + " rows " + where + ", for example");
    rows.orderBy("order_id").takeAsList(EXAMPLES).forEach(row -> lines.add("  " + row));
    return lines;
  }

  private static List<String> types(StructType schema) {
    List<String> types = new ArrayList<>();
    schema.foreach(field -> types.add(field.name() + " " + field.dataType().sql()));
    return types;
  }

  private static Row order(ResultSet row) throws SQLException {
    return RowFactory.create(
        row.getInt("order_id"),
        row.getString("order_ref"),
        row.getLong("customer_id"),
        row.getString("status"),
        row.getShort("items"),
        row.getBoolean("express"),
        row.getString("currency"),
        row.getBigDecimal("amount"),
        row.getBigDecimal("discount"),
        row.getString("note"),
        row.getObject("ordered_at", LocalDateTime.class),
        row.getDate("shipped_on"));
  }

  /**
   * @param sourceRows rows of the source table
   * @param latestRows keys that the table says exist
   * @param differences what differs, for a person; empty if all is well
   */
  record Verdict(long sourceRows, long latestRows, List<String> differences) {}
}
