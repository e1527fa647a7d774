package io.github.mssqlcdc.quickstart;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Shows what the tables tell, by plain SQL over them. */
final class Report {
  private static final int SHOWN = 12;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  private final SparkSession spark;
  private final Narrator narrator;

  Report(SparkSession spark, Narrator narrator) {
    this.spark = spark;
    this.narrator = narrator;
  }

  /** The snapshot and the batches, newest last. */
  void facts() {
    List<Row> rows =
        spark
            .sql(
                """
                SELECT CASE WHEN event = 'bootstrap' THEN 'snapshot' ELSE 'batch ' || batch_id END,
                       rows, inserts, updates, deletes,
                       coalesce(min_lsn, ''), coalesce(max_lsn, end_lsn),
                       coalesce(min_commit_ts, end_commit_ts),
                       coalesce(max_commit_ts, end_commit_ts), duration_ms
                FROM facts
                WHERE event IS NULL OR event = 'bootstrap'
                ORDER BY end_lsn, batch_id NULLS FIRST""")
            .collectAsList();
    print(
        "Facts table: the snapshot and each batch (times in UTC)",
        List.of(
            "",
            "rows",
            "ins",
            "upd",
            "del",
            "first LSN",
            "last LSN",
            "first commit",
            "last commit",
            "ms"),
        rows);
  }

  /** All images of one order, in the order in which they arose. */
  void history(int key) {
    List<Row> rows =
        spark
            .sql(
                """
                SELECT CASE _operation WHEN 0 THEN 'snapshot' WHEN 1 THEN 'delete'
                         WHEN 2 THEN 'insert' WHEN 3 THEN 'before' ELSE 'after' END,
                       _start_lsn, _command_id, _commit_ts,
                       status, amount, discount, note
                FROM bronze
                WHERE order_id = """
                    + key
                    + " ORDER BY _history, _start_lsn, _command_id NULLS FIRST,"
                    + " _seqval NULLS FIRST, _operation")
            .collectAsList();
    print(
        "Bronze: the history of order " + key,
        List.of("image", "LSN", "command", "commit", "status", "amount", "discount", "note"),
        rows);
  }

  private void print(String title, List<String> header, List<Row> rows) {
    int first = Math.max(0, rows.size() - SHOWN);
    List<List<String>> cells = new ArrayList<>();
    for (Row row : rows.subList(first, rows.size())) {
      cells.add(IntStream.range(0, row.size()).mapToObj(i -> text(row.get(i))).toList());
    }
    String more = first == 0 ? "" : " (" + first + " earlier ones not shown)";
    narrator.table(title + more, header, cells);
  }

  private static String text(Object value) {
    if (value == null) {
      return "";
    }
    return value instanceof LocalDateTime time ? TIME.format(time) : value.toString();
  }
}
