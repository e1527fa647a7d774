package io.github.mssqlcdc.bronze;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.delta.table.Commit;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * What the commits and rows of a bronze table tell of the batches that it holds. Not thread-safe.
 */
public final class CommittedBatches {
  private final LakeTable table;

  public CommittedBatches(LakeTable table) {
    this.table = table;
  }

  /** The range that the commit of this batch names; empty once the log has dropped the commit. */
  public Optional<BatchRange> committed(BatchKey batch) {
    return table.find(batch.transaction()).flatMap(CommitNote::range);
  }

  /** What the commit of this batch tells of the source; none once the log has dropped it. */
  public List<JsonNode> happened(BatchKey batch) {
    return table.find(batch.transaction()).map(CommitNote::happened).orElseGet(List::of);
  }

  /** The batches committed last, of any writer, newest first; each is read when it is reached. */
  public Stream<CommittedBatch> recentBatches() {
    return recentCommits().flatMap(commit -> CommitNote.batch(commit).stream());
  }

  /**
   * What this batch wrote says of it: the files of its commit, or else the table's rows of its id,
   * range and history. A Spark job.
   */
  public BatchRows rowsOf(BatchKey batch, BatchRange range, int history) {
    Column lsn = col(BronzeColumns.START_LSN);
    Row row =
        table
            .find(batch.transaction())
            .flatMap(table::rowsOf)
            .orElseGet(() -> rowsAfter(batch, range.start(), history))
            .where(lsn.leq(range.end().lsn().toString()))
            .agg(
                count_if(lit(true)),
                count_if(col(BronzeColumns.OPERATION).equalTo(1)),
                count_if(col(BronzeColumns.OPERATION).equalTo(2)),
                count_if(col(BronzeColumns.OPERATION).equalTo(4)),
                min(lsn),
                max(lsn),
                min(BronzeColumns.COMMIT_TS),
                max(BronzeColumns.COMMIT_TS))
            .head();
    return new BatchRows(
        row.getLong(0),
        row.getLong(1),
        row.getLong(2),
        row.getLong(3),
        row.getString(4),
        row.getString(5),
        (LocalDateTime) row.get(6),
        (LocalDateTime) row.get(7));
  }

  /** The highest LSN of the rows of this batch id beyond a position; empty without any. */
  public Optional<Lsn> highestAfter(BatchKey batch, Lsn position, int history) {
    Row row = rowsAfter(batch, position, history).agg(max(BronzeColumns.START_LSN)).head();
    return row.isNullAt(0) ? Optional.empty() : Optional.of(Lsn.parse(row.getString(0)));
  }

  private Dataset<Row> rowsAfter(BatchKey batch, Lsn position, int history) {
    return table
        .read()
        .where(col(BronzeColumns.BATCH_ID).equalTo(batch.batchId()))
        .where(col(BronzeColumns.HISTORY).equalTo(history))
        .where(col(BronzeColumns.START_LSN).gt(position.toString()));
  }

  /**
   * The highest position of the highest history that is in a batch or that a snapshot's read may
   * have seen, as far as recent commits tell one whose time on the server's clock is known; empty
   * without any.
   */
  public Optional<Offset> highestPosition() {
    int history = new Histories(table).highest();
    return recentCommits()
        .filter(commit -> CommitNote.history(commit).orElse(0) == history)
        .flatMap(commit -> CommitNote.positions(commit).stream())
        .filter(position -> position.at() != null)
        .max(Comparator.comparing(Offset::lsn));
  }

  /** The newest batch of any writer, in the highest history, that recent commits tell of. */
  public Optional<CommittedBatch> newest() {
    int history = new Histories(table).highest();
    return recentCommits()
        .filter(commit -> CommitNote.history(commit).orElse(0) == history)
        .flatMap(commit -> CommitNote.batch(commit).stream())
        .findFirst();
  }

  /** The history that this sink's newest batch was written with; empty if none is known of. */
  public Optional<Integer> historyOf(String sinkId) {
    return recentCommits()
        .filter(
            commit ->
                CommitNote.batch(commit).filter(b -> b.key().appId().equals(sinkId)).isPresent())
        .findFirst()
        .flatMap(CommitNote::history);
  }

  /** The latest commit time that a batch ended at, or else of a row; empty if none is known. */
  public Optional<LocalDateTime> lastEndCommitTs() {
    return recentCommits()
        .flatMap(commit -> CommitNote.range(commit).stream())
        .flatMap(range -> Stream.ofNullable(range.end().commitTs()))
        .max(LocalDateTime::compareTo)
        .or(this::lastCommitTsOfRows);
  }

  private Optional<LocalDateTime> lastCommitTsOfRows() {
    return table.exists() && !table.isNew()
        ? Optional.ofNullable(
            (LocalDateTime) table.read().agg(max(BronzeColumns.COMMIT_TS)).head().get(0))
        : Optional.empty();
  }

  private Stream<Commit> recentCommits() {
    return table.newestCommits().limit(BronzeTable.COMMITS_LOOKED_AT);
  }
}
