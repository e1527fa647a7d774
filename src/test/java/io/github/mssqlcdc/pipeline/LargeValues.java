package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.Trigger;

/** A table with a column of every large type, its history, and what bronze holds of it. */
final class LargeValues {
  static final List<String> COLUMNS = List.of("id", "v", "m", "t", "i", "n", "x", "b");
  static final List<String> LARGE = List.of("m", "t", "i", "n", "x", "b");

  /**
   * What truly stood in the images of {@link #change}, oldest first: operation, id, large values.
   */
  static final List<String> TRUE_IMAGES =
      List.of(
          // insert
          "2|4|m4|t4|44|n4|<x>4</x>|B4",
          // update of v
          "3|1|m1|t1|11|n1|<x>1</x>|B1",
          "4|1|m1|t1|11|n1|<x>1</x>|B1",
          // m = NULL, then an update of v
          "3|1|m1|t1|11|n1|<x>1</x>|B1",
          "4|1|null|t1|11|n1|<x>1</x>|B1",
          "3|1|null|t1|11|n1|<x>1</x>|B1",
          "4|1|null|t1|11|n1|<x>1</x>|B1",
          // all large columns but m and b
          "3|1|null|t1|11|n1|<x>1</x>|B1",
          "4|1|null|null|12|n2|<x>2</x>|B1",
          // an update of the key
          "1|2|m2|t2|22|n2|<x>2</x>|B2",
          "2|20|m2|t2|22|n2|<x>2</x>|B2",
          "3|20|m2|t2|22|n2|<x>2</x>|B2",
          "4|20|m2|t2|22|n2|<x>2</x>|B2",
          // delete of a row with NULLs
          "1|3|null|null|null|null|null|null",
          // delete, the same key again with NULLs, an update of v
          "1|4|m4|t4|44|n4|<x>4</x>|B4",
          "2|4|null|null|null|null|null|null",
          "3|4|null|null|null|null|null|null",
          "4|4|null|null|null|null|null|null");

  private final TestDatabase database;
  private final Path folder;

  LargeValues(TestDatabase database, Path folder) {
    this.database = database;
    this.folder = folder;
  }

  void create() {
    database.run(
        "CREATE TABLE dbo.documents (id int NOT NULL PRIMARY KEY, v int, m varchar(max), t text,"
            + " i image, n ntext, x xml, b varbinary(max))",
        "INSERT INTO dbo.documents VALUES"
            + " (1, 1, 'm1', 't1', 0x11, N'n1', N'<x>1</x>', 0xB1),"
            + " (2, 1, 'm2', 't2', 0x22, N'n2', N'<x>2</x>', 0xB2),"
            + " (3, 1, NULL, NULL, NULL, NULL, NULL, NULL)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'documents',"
            + " @role_name = NULL");
    database.awaitCapture();
  }

  void change() {
    database.run(
        "INSERT INTO dbo.documents VALUES (4, 1, 'm4', 't4', 0x44, N'n4', N'<x>4</x>', 0xB4)",
        "UPDATE dbo.documents SET v = 2 WHERE id = 1",
        "UPDATE dbo.documents SET m = NULL WHERE id = 1",
        "UPDATE dbo.documents SET v = 3 WHERE id = 1",
        "UPDATE dbo.documents SET t = NULL, i = 0x12, n = N'n2', x = N'<x>2</x>' WHERE id = 1",
        "UPDATE dbo.documents SET id = 20 WHERE id = 2",
        "UPDATE dbo.documents SET v = 2 WHERE id = 20",
        "DELETE FROM dbo.documents WHERE id = 3",
        "DELETE FROM dbo.documents WHERE id = 4",
        "INSERT INTO dbo.documents (id, v) VALUES (4, 1)",
        "UPDATE dbo.documents SET v = 2 WHERE id = 4");
    database.awaitCapture();
  }

  CdcStream stream() {
    return CdcStream.of(TestSession.get(), options());
  }

  Map<String, String> options() {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_documents");
    options.put("includeUpdateMask", "true");
    options.put("pollInterval", "1ms");
    return options;
  }

  void snapshot() {
    var unused = stream().snapshot(path("bronze")).run();
  }

  void ingest() throws Exception {
    stream()
        .toDelta(path("bronze"))
        .appId("documents")
        .checkpoint(path("checkpoint"))
        .trigger(Trigger.AvailableNow())
        .bootstrap(true)
        .start()
        .awaitTermination();
  }

  /** Rows of the changes in their order, or of the snapshot by id. */
  List<Row> bronze(String columns, String where) {
    return TestSession.get()
        .sql(
            "SELECT "
                + columns
                + " FROM "
                + table()
                + " WHERE "
                + where
                + " ORDER BY _start_lsn, _command_id, _seqval, _operation, id")
        .collectAsList();
  }

  /** The current state, by the statement that the documentation gives. */
  List<String> currentState() throws IOException {
    String block = documented("IS NOT TRUE");
    String large =
        block.lines().filter(line -> line.contains("IS NOT TRUE")).findFirst().orElseThrow();
    String all =
        LARGE.stream().map(name -> large.replace("body", name)).collect(Collectors.joining(",\n"));
    String sql =
        block
            .replace(large, all)
            .replace("document_id", "id")
            .replace("title", "v")
            .replace("bronze.documents", table());
    return TestSession.get()
        .sql(sql)
        .selectExpr("id", "v", "m", "t", "hex(i)", "n", "x", "hex(b)")
        .orderBy("id")
        .collectAsList()
        .stream()
        .map(row -> row.mkString("|"))
        .toList();
  }

  /** The newest image of each key that isn't deleted, by the documentation's other statement. */
  List<String> newestImages() throws IOException {
    String sql =
        documented("row_number()")
            .strip()
            .replaceFirst(";$", "")
            .replace("order_id", "id")
            .replace("bronze.orders", table());
    return TestSession.get()
        .sql(sql)
        .selectExpr("id", "v", "_operation")
        .orderBy("id")
        .collectAsList()
        .stream()
        .map(row -> row.mkString("|"))
        .toList();
  }

  /** Which columns an image's mask says were changed, by the expression documented. */
  List<String> changed(String where) throws IOException {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < COLUMNS.size(); i++) {
      names.add("if(" + isChanged(i + 1) + ", '" + COLUMNS.get(i) + "', NULL)");
    }
    return bronze("concat_ws(',', " + String.join(", ", names) + ")", where).stream()
        .map(row -> row.getString(0))
        .toList();
  }

  static String isChanged(int n) throws IOException {
    return documented("_update_mask").strip().replace("(n -", "(" + n + " -");
  }

  /** The block of code in the documentation that holds this text. */
  private static String documented(String text) throws IOException {
    String page = Files.readString(Path.of("docs/reference/output-schema.md"));
    String[] parts = page.split("```(sql)?\n");
    return Stream.iterate(1, i -> i + 2)
        .limit(parts.length / 2)
        .map(i -> parts[i])
        .filter(part -> part.contains(text))
        .findFirst()
        .orElseThrow();
  }

  List<String> source() {
    return database
        .query(
            "SELECT id, v, m, CAST(t AS varchar(max)), CONVERT(varchar(max), CAST(i AS"
                + " varbinary(max)), 2), CAST(n AS nvarchar(max)), CAST(x AS nvarchar(max)),"
                + " CONVERT(varchar(max), b, 2) FROM dbo.documents ORDER BY id")
        .stream()
        .map(row -> row.stream().map(String::valueOf).collect(Collectors.joining("|")))
        .toList();
  }

  private String table() {
    return "delta.`" + path("bronze") + "`";
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }
}
