package io.github.mssqlcdc.bronze;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.lower;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;

import io.github.mssqlcdc.delta.schema.VersionedTable;
import io.github.mssqlcdc.delta.table.Append;
import io.github.mssqlcdc.delta.table.Commit;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.delta.table.TransactionId;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The change log in Delta. Not thread-safe. */
public final class BronzeTable {
  /** How far back a commit that would make a position complete is looked for. */
  private static final int COMMITS_LOOKED_AT = 100;

  private final LakeTable table;
  private final List<String> keys;
  private boolean created;

  /** Columns of ours that the table gets with the first rows. */
  private List<StructField> added = List.of();

  /**
   * @param keys names of the source's key columns, for the table's statistics
   */
  public BronzeTable(LakeTable table, List<String> keys) {
    this.table = table;
    this.keys = List.copyOf(keys);
  }

  /**
   * @throws InvalidRequestException if this existing table lacks what every bronze table has
   */
  public static void requireIs(LakeTable table) {
    List<String> names = List.of(table.schema().fieldNames());
    for (String column :
        List.of(BronzeColumns.CAPTURE_INSTANCE, BronzeColumns.START_LSN, BronzeColumns.OPERATION)) {
      if (!names.contains(column)) {
        throw new InvalidRequestException(
            ErrorCode.INVALID_TARGET,
            "Cannot write to '"
                + table.ref()
                + "': it is a table of another kind, without the column "
                + column
                + "; give a table that this library made, or a name that is free");
      }
    }
  }

  /** The capture instance of one of the rows of a bronze table; none if it is empty. */
  public static List<String> anInstanceIn(LakeTable table) {
    return table
        .read()
        .select(BronzeColumns.CAPTURE_INSTANCE)
        .limit(1)
        .as(Encoders.STRING())
        .collectAsList();
  }

  /** The table as the caller spelt it. */
  public String name() {
    return table.ref().text();
  }

  /**
   * Appends the rows of a batch, unless the table has the batch already.
   *
   * @param rows the source's, in its schema
   * @param hasRows asked when the rows are written and before they are committed; false gives them
   *     up
   */
  public Appended append(
      Dataset<Row> rows, BatchKey batch, BatchRange range, int history, BooleanSupplier hasRows) {
    create(rows);
    Append.Outcome outcome =
        table.append(
            commented(rows)
                .withColumn(BronzeColumns.BATCH_ID, lit(batch.batchId()))
                .withColumn(BronzeColumns.SNAPSHOT, lit(null).cast(DataTypes.StringType))
                .withColumn(BronzeColumns.CHUNK, lit(null).cast(DataTypes.IntegerType))
                .withColumn(BronzeColumns.HISTORY, lit(history)),
            new Append(batch.transaction(), CommitNote.ofBatch(batch, range, history), hasRows));
    if (outcome instanceof Append.Outcome.Skipped) {
      return Appended.BEFORE;
    }
    return outcome instanceof Append.Outcome.GivenUp ? Appended.NOTHING : Appended.NOW;
  }

  /** What became of a batch's rows. */
  public enum Appended {
    NOW,
    /** The table has the batch id already, from an earlier attempt or another writer. */
    BEFORE,
    /** There were none. */
    NOTHING
  }

  /**
   * Appends a whole snapshot in one commit.
   *
   * @param rows the snapshot source's, in its schema, stamped with {@code stamp}
   * @param proof called when the rows are written and before they are committed; what it throws
   *     gives them up
   * @return its rows, as Delta counted them
   */
  public long appendSnapshot(
      Dataset<Row> rows, String captureInstance, Offset stamp, int history, Runnable proof) {
    create(rows);
    TransactionId id = new TransactionId(captureInstance + "#whole." + UUID.randomUUID(), 0);
    Append.Outcome outcome =
        table.append(
            commented(rows)
                .withColumn(BronzeColumns.BATCH_ID, lit(null).cast(DataTypes.LongType))
                .withColumn(BronzeColumns.SNAPSHOT, lit(stamp.lsn().toString()))
                .withColumn(BronzeColumns.CHUNK, lit(null).cast(DataTypes.IntegerType))
                .withColumn(BronzeColumns.HISTORY, lit(history)),
            new Append(
                id, CommitNote.ofSnapshot(captureInstance, stamp, history), () -> isProved(proof)));
    if (outcome instanceof Append.Outcome.Committed committed) {
      return table.commit(committed.version()).map(Commit::rows).orElse(0L);
    }
    throw new IllegalStateException("Snapshot " + id + " was not appended: " + outcome);
  }

  private static boolean isProved(Runnable proof) {
    proof.run();
    return true;
  }

  private void create(Dataset<Row> rows) {
    if (!created) {
      requireTakes(rows.schema());
      VersionedTable.open(table, BronzeColumns.definition(rows.schema(), keys));
      StructType there = table.schema();
      added =
          BronzeColumns.ofTheSource(rows.schema())
              .filter(field -> !there.getFieldIndex(field.name()).isDefined())
              .toList();
      created = true;
    }
  }

  /**
   * @param source schema of the source's rows
   * @throws InvalidRequestException if this existing table can't take such rows; the message says
   *     how it could
   */
  public void requireTakes(StructType source) {
    table.requireTakes(BronzeColumns.definition(source, keys).columns());
  }

  /** A table's first large column brings a column of ours into a table that is there. */
  private Dataset<Row> commented(Dataset<Row> rows) {
    Dataset<Row> commented = rows;
    for (StructField field : added) {
      commented = commented.withMetadata(field.name(), field.metadata());
    }
    return commented;
  }

  /** The highest batch id that this sink has in the table. */
  public OptionalLong latestBatch(String appId) {
    return table.latestTransaction(appId);
  }

  /** The range that the commit of this batch names; empty once the log has dropped the commit. */
  public Optional<BatchRange> committed(BatchKey batch) {
    return table.find(batch.transaction()).flatMap(CommitNote::range);
  }

  /** The batches committed last, of any writer, newest first; each is read when it is reached. */
  public Stream<CommittedBatch> recentBatches() {
    return recentCommits().flatMap(commit -> CommitNote.batch(commit).stream());
  }

  /** What the table's rows of this batch say of it. A Spark job. */
  public BatchRows rowsOf(BatchKey batch, BatchRange range, int history) {
    Column lsn = col(BronzeColumns.START_LSN);
    Row row =
        table
            .read()
            .where(col(BronzeColumns.BATCH_ID).equalTo(batch.batchId()))
            .where(col(BronzeColumns.HISTORY).equalTo(history))
            .where(lsn.gt(range.start().toString()).and(lsn.leq(range.end().lsn().toString())))
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

  /** The highest history that the table knows; 0 for a new one. */
  public int highestHistory() {
    if (!table.exists()) {
      return 0;
    }
    return recentCommits()
        .flatMap(commit -> CommitNote.history(commit).stream())
        .findFirst()
        .orElseGet(this::highestHistoryOfRows);
  }

  private int highestHistoryOfRows() {
    if (!List.of(table.schema().fieldNames()).contains(BronzeColumns.HISTORY)) {
      return 0;
    }
    Row row = table.read().agg(max(BronzeColumns.HISTORY)).head();
    return row.isNullAt(0) ? 0 : row.getInt(0);
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
    return table.exists()
        ? Optional.ofNullable(
            (LocalDateTime) table.read().agg(max(BronzeColumns.COMMIT_TS)).head().get(0))
        : Optional.empty();
  }

  /** The newest whole snapshot of the capture instance, its name in any case. */
  public Optional<HeldSnapshot> wholeSnapshot(String captureInstance) {
    if (!table.exists()) {
      return Optional.empty();
    }
    return snapshots(recentCommits(), captureInstance)
        .findFirst()
        .or(() -> olderSnapshot(captureInstance));
  }

  /** By its rows; its commit says more, where the log still has it. */
  private Optional<HeldSnapshot> olderSnapshot(String captureInstance) {
    Optional<HeldSnapshot> rows = snapshotRows(captureInstance);
    return snapshots(oldestCommits(), captureInstance)
        .filter(commit -> rows.isEmpty() || isSame(commit, rows.get()))
        .findFirst()
        .or(() -> rows);
  }

  private Optional<HeldSnapshot> snapshotRows(String captureInstance) {
    Column stamp = coalesce(col(BronzeColumns.SNAPSHOT), col(BronzeColumns.START_LSN));
    List<Row> newest =
        table
            .read()
            .where(col(BronzeColumns.OPERATION).equalTo(BronzeColumns.SNAPSHOT_ROW))
            .where(col(BronzeColumns.CHUNK).isNull())
            .where(
                lower(col(BronzeColumns.CAPTURE_INSTANCE))
                    .equalTo(captureInstance.toLowerCase(Locale.ROOT)))
            .select(
                col(BronzeColumns.HISTORY).as("history"),
                stamp.as("stamp"),
                col(BronzeColumns.COMMIT_TS).as("commit_ts"))
            .orderBy(col("history").desc(), col("stamp").desc())
            .limit(1)
            .collectAsList();
    return newest.stream()
        .findFirst()
        .map(
            row ->
                new HeldSnapshot(
                    new Offset(Lsn.parse(row.getString(1)), (LocalDateTime) row.get(2), null),
                    row.isNullAt(0) ? 0 : row.getInt(0),
                    null));
  }

  private static Stream<HeldSnapshot> snapshots(Stream<Commit> commits, String captureInstance) {
    return commits.flatMap(
        commit ->
            CommitNote.stamp(commit, captureInstance).stream()
                .map(
                    stamp ->
                        new HeldSnapshot(
                            stamp, CommitNote.history(commit).orElse(0), commit.rows())));
  }

  private static boolean isSame(HeldSnapshot a, HeldSnapshot b) {
    return a.history() == b.history() && a.stamp().lsn().equals(b.stamp().lsn());
  }

  private Stream<Commit> recentCommits() {
    return table.newestCommits().limit(COMMITS_LOOKED_AT);
  }

  /** A bootstrap is among a table's first commits. */
  private Stream<Commit> oldestCommits() {
    return table.oldestCommits().limit(COMMITS_LOOKED_AT);
  }
}
