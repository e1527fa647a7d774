package io.github.mssqlcdc.bronze;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.udf;

import io.github.mssqlcdc.delta.schema.VersionedTable;
import io.github.mssqlcdc.delta.table.Append;
import io.github.mssqlcdc.delta.table.Commit;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.delta.table.TransactionId;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF0;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The change log in Delta. Not thread-safe. */
public final class BronzeTable {
  /** How far back a commit that would make a position complete is looked for. */
  static final int COMMITS_LOOKED_AT = 100;

  /** Application id of whole snapshots: Delta lets one of two with the same number in. */
  private static final String WHOLE = "mssql-cdc#whole";

  private final LakeTable table;
  private final Histories histories;
  private final List<String> keys;
  private final List<String> captured;
  private boolean created;

  /** Columns of the table's that are captured, and not among those that are read. */
  private List<String> unread = List.of();

  /** Its columns, where the rows spell one of them otherwise. */
  private List<String> spelt = List.of();

  /** Columns of ours that the table gets with the first rows. */
  private List<StructField> added = List.of();

  /**
   * @param keys names of the source's key columns, for the table's statistics
   * @param captured names of all columns that are captured of the source's table: one that the
   *     table has and rows don't is unknown in them
   */
  public BronzeTable(LakeTable table, List<String> keys, List<String> captured) {
    this.table = table;
    this.histories = new Histories(table);
    this.keys = List.copyOf(keys);
    this.captured = List.copyOf(captured);
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
    if (table.isNew()) {
      return List.of();
    }
    return newestRows(table)
        .orElseGet(table::read)
        .select(BronzeColumns.CAPTURE_INSTANCE)
        .limit(1)
        .as(Encoders.STRING())
        .collectAsList();
  }

  /** Rows that are still there, in few files; empty if the newest commits don't tell of any. */
  private static Optional<Dataset<Row>> newestRows(LakeTable table) {
    return table
        .newestCommits()
        .limit(COMMITS_LOOKED_AT)
        .takeWhile(commit -> !commit.takesRows())
        .filter(commit -> Objects.requireNonNullElse(commit.rows(), 0L) > 0)
        .findFirst()
        .flatMap(table::rowsOf);
  }

  /** Whether a bronze table has a row of one of these capture instances. */
  public static boolean hasRowOf(LakeTable table, List<String> instances) {
    return !table
        .read()
        .where(col(BronzeColumns.CAPTURE_INSTANCE).isin(instances.toArray()))
        .limit(1)
        .isEmpty();
  }

  /** The table as the caller spelt it. */
  public String name() {
    return table.ref().text();
  }

  /**
   * Appends the rows of a batch, unless the table has the batch already.
   *
   * @param rows the source's, in its schema
   * @param happened to the source in the batch, as {@link CommittedBatches#happened} gives it back
   * @throws CdcException CONFLICTING_WRITER if the table has a higher history by now
   */
  public Appended append(
      Dataset<Row> rows,
      BatchKey batch,
      BatchRange range,
      int history,
      Checks checks,
      List<Map<String, Object>> happened) {
    create(rows);
    Append.Outcome outcome =
        table.append(
            commented(rows)
                .withColumn(BronzeColumns.BATCH_ID, value(batch.batchId()))
                .withColumn(BronzeColumns.SNAPSHOT, lit(null).cast(DataTypes.StringType))
                .withColumn(BronzeColumns.CHUNK, lit(null).cast(DataTypes.IntegerType))
                .withColumn(BronzeColumns.HISTORY, lit(history)),
            new Append(
                batch.transaction(),
                () -> CommitNote.ofBatch(batch, range, history, happened),
                latest -> {
                  histories.requireHighest(history);
                  latest.ifPresent(id -> checks.after.accept(new BatchKey(batch.appId(), id)));
                },
                checks.hasRows));
    return appended(outcome);
  }

  /** A literal would be part of the code that Spark compiles, and each batch another program. */
  private static Column value(long number) {
    return udf((UDF0<Long>) () -> number, DataTypes.LongType).asNondeterministic().apply();
  }

  /**
   * What is asked while a batch is appended.
   *
   * @param after given the sink's latest batch in the table, if it has any; before the rows are
   *     read, again after each conflict. What it throws gives the rows up.
   * @param hasRows asked when the rows are written and before they are committed; false gives them
   *     up
   */
  public record Checks(Consumer<BatchKey> after, BooleanSupplier hasRows) {}

  /** What became of a batch's rows. */
  public enum Appended {
    NOW,
    /** The table has the batch id already, from an earlier attempt or another writer. */
    BEFORE,
    /** There were none. */
    NOTHING
  }

  /**
   * The number that the next whole snapshot gets, seeds counted among them. Looked at before the
   * table is searched for one: what comes in between takes the number.
   */
  public long nextWhole() {
    return table.latestTransaction(WHOLE).orElse(-1) + 1;
  }

  /**
   * Appends a whole snapshot in one commit.
   *
   * @param rows stamped, in the schema of the snapshot source
   * @return its rows, as Delta counted them
   * @throws CdcException CONFLICTING_WRITER if the table has a snapshot of this number, or a later
   *     one, by now
   */
  public long append(Dataset<Row> rows, WholeRows snapshot) {
    create(rows);
    AtomicReference<@Nullable Offset> high = new AtomicReference<>();
    Append.Outcome outcome =
        table.append(
            commented(rows)
                .withColumn(BronzeColumns.BATCH_ID, lit(null).cast(DataTypes.LongType))
                .withColumn(BronzeColumns.SNAPSHOT, lit(snapshot.stamp().lsn().toString()))
                .withColumn(BronzeColumns.CHUNK, lit(null).cast(DataTypes.IntegerType))
                .withColumn(BronzeColumns.HISTORY, lit(snapshot.history())),
            new Append(
                new TransactionId(WHOLE, snapshot.number()),
                () -> snapshot.note(high.get()),
                latest -> histories.requireHighest(snapshot.history()),
                () -> {
                  high.set(snapshot.proof().get());
                  return true;
                }));
    if (outcome instanceof Append.Outcome.Committed committed) {
      return table.commit(committed.version()).map(Commit::rows).orElse(0L);
    }
    throw new CdcException(
        ErrorCode.CONFLICTING_WRITER,
        "Cannot append the snapshot at "
            + snapshot.stamp().lsn()
            + " to '"
            + name()
            + "': another run has put a snapshot of the table into it meanwhile. No row was"
            + " written. Let one run take the snapshot, and start this one again: it finds the"
            + " one that is there");
  }

  private void create(Dataset<Row> rows) {
    if (!created) {
      requireTakes(rows.schema());
      VersionedTable.open(table, BronzeColumns.definition(rows.schema(), keys));
      StructType there = table.schema();
      unread = unread(there, rows.schema());
      spelt =
          UnknownNames.differ(there.fieldNames(), rows.columns())
              ? List.of(there.fieldNames())
              : List.of();
      added =
          BronzeColumns.ofTheSource(UnreadColumns.named(rows, unread).schema())
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

  private List<String> unread(StructType there, StructType read) {
    return Arrays.stream(there.fieldNames())
        .filter(name -> !BronzeColumns.isMetadata(name))
        .filter(name -> captured.stream().anyMatch(name::equalsIgnoreCase))
        .filter(name -> Arrays.stream(read.fieldNames()).noneMatch(name::equalsIgnoreCase))
        .toList();
  }

  /** A table's first large column brings a column of ours into a table that is there. */
  private Dataset<Row> commented(Dataset<Row> rows) {
    Dataset<Row> commented = UnknownNames.spelt(UnreadColumns.named(rows, unread), spelt);
    for (StructField field : added) {
      commented = commented.withMetadata(field.name(), field.metadata());
    }
    return commented;
  }

  /** The highest batch id that this sink has in the table. */
  public OptionalLong latestBatch(String appId) {
    return table.latestTransaction(appId);
  }

  /** The highest history that the table knows; 0 for a new one. */
  public int highestHistory() {
    return histories.highest();
  }

  /**
   * The newest snapshot of a table, whole or in chunks, which may not all be there. One whose rows
   * were deleted, or restored away, isn't.
   *
   * @param isOfTable whether a capture instance is of the table; its name as the rows have it
   * @param counts whether this one is looked for
   */
  public Optional<HeldSnapshot> heldSnapshot(
      Predicate<String> isOfTable, Predicate<HeldSnapshot> counts) {
    return new SnapshotSearch(table, isOfTable, counts).newest();
  }

  /**
   * Where the seed stands whose copy was said to end at this time; empty if there is none, or the
   * log has dropped its commit.
   */
  public Optional<Lsn> seededAt(Instant asOf) {
    return Stream.concat(
            table.newestCommits().limit(COMMITS_LOOKED_AT),
            table.oldestCommits().limit(COMMITS_LOOKED_AT))
        .filter(commit -> CommitNote.isSeedAsOf(commit, asOf))
        .findFirst()
        .map(commit -> CommitNote.stamp(commit).lsn());
  }

  /** Whether the table has rows of the snapshot at this LSN. A Spark job. */
  public boolean hasSnapshot(Lsn stamp, int history) {
    return table.exists() && SnapshotSearch.hasRows(table, stamp, history);
  }

  /** Whether another spelling leads to this table, too. */
  public boolean isCalled(String spelling) {
    return table.isCalled(spelling);
  }

  /** Whether rows come from this table, at least in part. */
  public boolean isReadBy(Dataset<Row> rows) {
    return table.exists() && table.isReadBy(rows);
  }

  public boolean exists() {
    return table.exists();
  }

  /** The id that Delta gave the table; null while there is none. */
  public @Nullable String id() {
    return table.exists() ? table.id() : null;
  }

  /** What the table holds of batches. */
  public CommittedBatches batches() {
    return new CommittedBatches(table);
  }

  /** What the table holds of chunked snapshots. */
  public Waves waves() {
    return new Waves(table);
  }

  /**
   * Appends the chunks of a wave in one commit, unless the table has the wave already.
   *
   * @param rows the snapshot source's, in its schema with the number of their chunk
   */
  public Appended append(Dataset<Row> rows, WaveRows wave) {
    create(rows.drop(BronzeColumns.CHUNK));
    Append.Outcome outcome =
        table.append(
            commented(rows)
                .withColumn(BronzeColumns.BATCH_ID, lit(null).cast(DataTypes.LongType))
                .withColumn(BronzeColumns.SNAPSHOT, lit(wave.id().lsn().toString()))
                .withColumn(BronzeColumns.HISTORY, lit(wave.history())),
            new Append(
                Waves.transaction(wave.id(), wave.wave()),
                wave.note(),
                latest -> histories.requireHighest(wave.history()),
                wave.hasRows()));
    return appended(outcome);
  }

  private static Appended appended(Append.Outcome outcome) {
    if (outcome instanceof Append.Outcome.Skipped) {
      return Appended.BEFORE;
    }
    return outcome instanceof Append.Outcome.GivenUp ? Appended.NOTHING : Appended.NOW;
  }
}
