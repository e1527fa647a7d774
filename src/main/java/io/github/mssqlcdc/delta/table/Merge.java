package io.github.mssqlcdc.delta.table;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * A MERGE: rows that change others of a table, in one commit. Expressions name the table's columns
 * by {@link #TABLE}, those of the rows by {@link #ROWS}.
 *
 * @param rows at most one for each row of the table
 * @param on what makes a row meet one of the table
 * @param clauses of those whose condition holds the first counts
 * @param id its transaction id; null: none
 * @param note what is kept of it in the commit; null: nothing
 */
public record Merge(
    Dataset<Row> rows,
    Column on,
    List<Clause> clauses,
    @Nullable TransactionId id,
    @Nullable String note) {
  public static final String TABLE = "t";
  public static final String ROWS = "s";

  public Merge {
    clauses = List.copyOf(clauses);
  }

  /** What becomes of rows. */
  public sealed interface Clause {
    /** A row of the table that is met gets these values. */
    record Update(Column when, Map<String, Column> values) implements Clause {}

    /** A row of the table that is met goes. */
    record Delete(Column when) implements Clause {}

    /** A row that meets none becomes one of the table. */
    record Insert(Column when, Map<String, Column> values) implements Clause {}
  }
}
