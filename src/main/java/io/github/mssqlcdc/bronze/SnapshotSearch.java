package io.github.mssqlcdc.bronze;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.when;

import io.github.mssqlcdc.delta.table.Commit;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import java.time.LocalDateTime;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;

/**
 * Finds the newest snapshot that bronze holds of a table: by what recent commits say, where its
 * rows are still there, else by its rows.
 *
 * @param isOfTable whether a capture instance is of the table
 * @param counts whether this one is looked for
 */
record SnapshotSearch(
    LakeTable table, Predicate<String> isOfTable, Predicate<HeldSnapshot> counts) {

  Optional<HeldSnapshot> newest() {
    if (!table.exists()) {
      return Optional.empty();
    }
    boolean isIntact = true;
    Iterator<Commit> commits =
        table.newestCommits().limit(BronzeTable.COMMITS_LOOKED_AT).iterator();
    while (commits.hasNext()) {
      Commit commit = commits.next();
      Optional<HeldSnapshot> told = told(commit, isIntact).filter(counts);
      if (told.isPresent() && (isIntact || isThere(told.get()))) {
        return told;
      }
      isIntact &= !commit.takesRows();
    }
    return older();
  }

  /** By its rows; its commit says more, where the log still has it among the table's first. */
  private Optional<HeldSnapshot> older() {
    Optional<HeldSnapshot> rows = ofRows();
    return table
        .oldestCommits()
        .limit(BronzeTable.COMMITS_LOOKED_AT)
        .flatMap(commit -> told(commit, false).stream())
        .filter(counts)
        .filter(held -> rows.map(found -> isSame(held, found)).orElseGet(held::isEmpty))
        .findFirst()
        .or(() -> rows);
  }

  /**
   * @param isIntact whether no row has been taken away since; else of chunks nobody knows whether
   *     all are there
   */
  private Optional<HeldSnapshot> told(Commit commit, boolean isIntact) {
    return whole(commit).or(() -> chunked(commit, isIntact));
  }

  private Optional<HeldSnapshot> whole(Commit commit) {
    return CommitNote.snapshotOf(commit)
        .filter(isOfTable)
        .map(
            instance ->
                new HeldSnapshot(
                    CommitNote.stamp(commit),
                    CommitNote.history(commit).orElse(0),
                    commit.rows(),
                    false,
                    true));
  }

  private Optional<HeldSnapshot> chunked(Commit commit, boolean isIntact) {
    return CommitNote.chunkedInstance(commit)
        .filter(isOfTable)
        .flatMap(instance -> CommitNote.chunkedSnapshot(commit))
        .map(
            snapshot ->
                new HeldSnapshot(
                    Offset.of(snapshot),
                    CommitNote.history(commit).orElse(0),
                    null,
                    true,
                    isIntact && CommitNote.hasLastChunk(commit)));
  }

  /** An empty one has no rows to lose. */
  private boolean isThere(HeldSnapshot held) {
    return held.isEmpty() || hasRows(table, held.stamp().lsn(), held.history());
  }

  /** Whether bronze has rows of the snapshot at this LSN. A Spark job. */
  static boolean hasRows(LakeTable table, Lsn stamp, int history) {
    return !table
        .read()
        .where(col(BronzeColumns.OPERATION).equalTo(BronzeColumns.SNAPSHOT_ROW))
        .where(stamp().equalTo(stamp.toString()))
        .where(history().equalTo(history))
        .limit(1)
        .isEmpty();
  }

  private static Column stamp() {
    return coalesce(col(BronzeColumns.SNAPSHOT), col(BronzeColumns.START_LSN));
  }

  private static Column history() {
    return coalesce(col(BronzeColumns.HISTORY), lit(0));
  }

  /** Rows of a chunk have a stamp of their own, which is no place to go on from. */
  private Optional<HeldSnapshot> ofRows() {
    Column isChunked = col(BronzeColumns.CHUNK).isNotNull();
    return table
        .read()
        .where(col(BronzeColumns.OPERATION).equalTo(BronzeColumns.SNAPSHOT_ROW))
        .select(
            history().as("history"),
            stamp().as("stamp"),
            when(isChunked, lit(null)).otherwise(col(BronzeColumns.COMMIT_TS)).as("commit_ts"),
            col(BronzeColumns.CAPTURE_INSTANCE).as("instance"),
            isChunked.as("chunked"))
        .distinct()
        .orderBy(col("history").desc(), col("stamp").desc())
        .collectAsList()
        .stream()
        .filter(row -> isOfTable.test(row.getString(3)))
        .map(SnapshotSearch::held)
        .filter(counts)
        .findFirst();
  }

  private static HeldSnapshot held(Row row) {
    return new HeldSnapshot(
        new Offset(Lsn.parse(row.getString(1)), (LocalDateTime) row.get(2), null),
        row.getInt(0),
        null,
        row.getBoolean(4),
        !row.getBoolean(4));
  }

  private static boolean isSame(HeldSnapshot a, HeldSnapshot b) {
    return a.history() == b.history() && a.stamp().lsn().equals(b.stamp().lsn());
  }
}
