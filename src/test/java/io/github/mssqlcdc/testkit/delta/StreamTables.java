package io.github.mssqlcdc.testkit.delta;

import io.github.mssqlcdc.testkit.spark.TestSession;
import java.util.List;

/**
 * Queries over the two tables of a stream, by path.
 *
 * @param bronze stands for {@code $bronze} in a query
 * @param facts stands for {@code $facts}
 */
public record StreamTables(String bronze, String facts) {

  /** The rows, their columns behind each other with a bar between. */
  public List<String> sql(String query) {
    return TestSession.get()
        .sql(
            query
                .replace("$bronze", "delta.`" + bronze + "`")
                .replace("$facts", "delta.`" + facts + "`"))
        .collectAsList()
        .stream()
        .map(row -> row.mkString("|"))
        .toList();
  }
}
