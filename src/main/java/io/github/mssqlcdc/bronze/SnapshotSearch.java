package io.github.mssqlcdc.bronze;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.github.mssqlcdc.delta.table.Commit;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;

/**
 * Finds the newest whole snapshot that bronze holds of a table: by what recent commits say, else by
 * its rows.
 *
 * @param isOfTable whether a capture instance is of the table
 */
record SnapshotSearch(LakeTable table, Predicate<String> isOfTable) {

  Optional<HeldSnapshot> newest() {
    if (!table.exists()) {
      return Optional.empty();
    }
    return snapshots(table.newestCommits().limit(BronzeTable.COMMITS_LOOKED_AT))
        .findFirst()
        .or(this::older);
  }

  /** By its rows; its commit says more, where the log still has it among the table's first. */
  private Optional<HeldSnapshot> older() {
    Optional<HeldSnapshot> rows = ofRows();
    return snapshots(table.oldestCommits().limit(BronzeTable.COMMITS_LOOKED_AT))
        .filter(commit -> rows.isEmpty() || isSame(commit, rows.get()))
        .findFirst()
        .or(() -> rows);
  }

  private Stream<HeldSnapshot> snapshots(Stream<Commit> commits) {
    return commits
        .filter(commit -> CommitNote.snapshotOf(commit).filter(isOfTable).isPresent())
        .map(
            commit ->
                new HeldSnapshot(
                    CommitNote.stamp(commit), CommitNote.history(commit).orElse(0), commit.rows()));
  }

  private Optional<HeldSnapshot> ofRows() {
    Column stamp = coalesce(col(BronzeColumns.SNAPSHOT), col(BronzeColumns.START_LSN));
    return table
        .read()
        .where(col(BronzeColumns.OPERATION).equalTo(BronzeColumns.SNAPSHOT_ROW))
        .where(col(BronzeColumns.CHUNK).isNull())
        .select(
            coalesce(col(BronzeColumns.HISTORY), lit(0)).as("history"),
            stamp.as("stamp"),
            col(BronzeColumns.COMMIT_TS).as("commit_ts"),
            col(BronzeColumns.CAPTURE_INSTANCE).as("instance"))
        .distinct()
        .orderBy(col("history").desc(), col("stamp").desc())
        .collectAsList()
        .stream()
        .filter(row -> isOfTable.test(row.getString(3)))
        .findFirst()
        .map(SnapshotSearch::held);
  }

  private static HeldSnapshot held(Row row) {
    return new HeldSnapshot(
        new Offset(Lsn.parse(row.getString(1)), (LocalDateTime) row.get(2), null),
        row.getInt(0),
        null);
  }

  private static boolean isSame(HeldSnapshot a, HeldSnapshot b) {
    return a.history() == b.history() && a.stamp().lsn().equals(b.stamp().lsn());
  }
}
