package io.github.mssqlcdc.testkit.contract;

import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Facts of one subject, asked of one database; each test has tables of its own there. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(FactReport.class)
@ExtendWith(FactReport.class)
public abstract class FactSuite {
  protected final TestDatabase database = TestDatabases.create();

  @AfterAll
  void closeDatabase() {
    database.close();
  }

  /** Makes {@code dbo.<table>} and captures it in {@code dbo_<table>}. */
  protected final void track(String table, String columns) {
    database.run("CREATE TABLE dbo." + table + " (" + columns + ")");
    enable(table, "dbo_" + table, "");
  }

  /** Captures a table, and waits until capture has seen the instance. */
  protected final void enable(String table, String instance, String more) {
    database.run(
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @role_name = NULL, @capture_instance = N'"
            + instance
            + "'"
            + more);
    database.awaitCapture();
  }

  /** Runs each batch as a commit of its own and waits until it is captured. */
  protected final void commit(String... batches) {
    database.run(batches);
    database.awaitCapture();
  }

  /** Change rows of {@code dbo_<table>} in their order. */
  protected final List<String> changes(String table, String columns) {
    return rows(
        "SELECT "
            + columns
            + " FROM cdc.dbo_"
            + table
            + "_CT ORDER BY [__$start_lsn], [__$command_id], [__$seqval], [__$operation]");
  }

  /** A query's rows as text, values parted by {@code |}, bytes in hexadecimal. */
  protected final List<String> rows(String sql) {
    return database.query(sql).stream()
        .map(row -> row.stream().map(FactSuite::text).collect(Collectors.joining("|")))
        .toList();
  }

  /** The one value of a query's one row, as text. */
  protected final String value(String sql) {
    List<String> rows = rows(sql);
    if (rows.size() != 1) {
      throw new AssertionError(rows.size() + " rows instead of one from " + sql);
    }
    return rows.get(0);
  }

  private static String text(Object value) {
    return value instanceof byte[] bytes
        ? "0x" + HexFormat.of().withUpperCase().formatHex(bytes)
        : String.valueOf(value);
  }
}
