package io.github.mssqlcdc.reconcile;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.github.mssqlcdc.bronze.BronzeColumns;
import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.delta.table.ColumnNames;
import io.github.mssqlcdc.lsn.Lsn;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Finds differences that are only changes on their way from the source to silver. */
final class InFlight {
  private static final String KEY = ColumnNames.WORKING + "key";

  private final RowComparison rows;
  private final SourceRows source;

  InFlight(RowComparison rows, SourceRows source) {
    this.rows = rows;
    this.source = source;
  }

  /**
   * Changes in bronze that silver has not applied yet. Rows of snapshots aren't changes.
   *
   * @param bronze null: none was named
   * @param applied every change up to there is in silver; null: not known
   */
  List<RowDifference> inBronze(
      List<RowDifference> differences, @Nullable Dataset<Row> bronze, @Nullable Position applied) {
    Set<String> asked = open(differences);
    if (bronze == null || asked.isEmpty()) {
      return differences;
    }
    Column isNewer =
        applied == null
            ? lit(true)
            : applied.isBefore(col(BronzeColumns.HISTORY), col(BronzeColumns.START_LSN));
    Column isChange = col(BronzeColumns.OPERATION).gt(BronzeColumns.SNAPSHOT_ROW);
    return marked(differences, among(bronze.where(isChange).where(isNewer), asked));
  }

  /** Changes that only the change table holds. */
  List<RowDifference> inChangeTable(List<RowDifference> differences, Lsn after) {
    Set<String> asked = open(differences);
    if (asked.isEmpty()) {
      return differences;
    }
    Set<String> found = new HashSet<>();
    source.changes(after, part -> found.addAll(among(part, asked)));
    return marked(differences, found);
  }

  static Set<String> open(List<RowDifference> differences) {
    Set<String> keys = new HashSet<>();
    differences.stream()
        .filter(RowDifference::isOpen)
        .forEach(difference -> keys.add(difference.key()));
    return keys;
  }

  private List<String> among(Dataset<Row> changes, Set<String> asked) {
    Dataset<Row> keys =
        changes
            .sparkSession()
            .createDataFrame(
                asked.stream().map(RowFactory::create).toList(),
                new StructType().add(KEY, "string"));
    return changes
        .select(rows.json().as(KEY))
        .join(broadcast(keys), KEY)
        .distinct()
        .collectAsList()
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }

  private static List<RowDifference> marked(
      List<RowDifference> differences, java.util.Collection<String> found) {
    Set<String> keys = new HashSet<>(found);
    return differences.stream()
        .map(one -> one.isOpen() && keys.contains(one.key()) ? one.inFlight() : one)
        .toList();
  }
}
