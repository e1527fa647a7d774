package io.github.mssqlcdc.silver;

import static java.util.Comparator.naturalOrder;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;

import io.github.mssqlcdc.bronze.BronzeChanges;
import io.github.mssqlcdc.bronze.BronzeChanges.Arrival;
import io.github.mssqlcdc.bronze.BronzeColumns;
import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.bronze.HeldWave;
import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings silver to a version of bronze, in one commit. What a call did that died is done again by
 * the next: an image changes nothing the second time. Not thread-safe.
 */
public final class ApplyChanges {
  private static final Logger LOG = LoggerFactory.getLogger(ApplyChanges.class);

  private final LakeTable bronze;
  private final BronzeChanges changes;
  private final LakeTable silverTable;
  private final SilverTable silver;
  private final List<String> keys;

  /**
   * @param keys columns that identify a row, as bronze spells them
   */
  public ApplyChanges(LakeTable bronze, LakeTable silver, List<String> keys) {
    this.bronze = bronze;
    this.changes = new BronzeChanges(bronze);
    this.silverTable = silver;
    this.silver = new SilverTable(silver, keys);
    this.keys = List.copyOf(keys);
  }

  /** The keys that a silver table was made with; empty if it isn't there. */
  public static Optional<List<String>> keysOf(LakeTable silver) {
    return new SilverTable(silver, List.of()).madeWith();
  }

  /** Up to where bronze is in a silver table; empty if no call has filled it. */
  public static Optional<Position> appliedTo(LakeTable silver) {
    return new SilverTable(silver, List.of()).note().map(SilverNote::applied);
  }

  /** The captured columns of a bronze table. */
  public static List<String> columnsOf(LakeTable bronze) {
    return BronzeRows.captured(bronze.schema().fieldNames());
  }

  /**
   * Applies what is new.
   *
   * @param chunked the newest chunked snapshot, by the facts as they were read before this call;
   *     null: there is none
   * @param counts whether a whole snapshot counts: it wasn't given up
   * @throws InvalidRequestException if silver is of another kind or of another table, its keys
   *     aren't in every image, or bronze has lost images that it rests on
   */
  public Applied run(@Nullable OpenSnapshot chunked, Predicate<Position> counts) {
    Optional<SilverNote> before = silver.note();
    long version = bronze.version();
    StructType columns = bronze.schema();
    Optional<SilverNote> ofThis = before.filter(note -> note.bronze().equals(bronze.id()));
    if (ofThis.isEmpty()) {
      before.ifPresent(proof()::requireSameTable);
    }
    silver.open(columns);
    if (ofThis.isEmpty()) {
      return rebuild(version, chunked, counts);
    }
    SilverNote known = ofThis.get();
    Optional<Arrival> arrival = changes.between(known.version(), version);
    if (arrival.isEmpty()) {
      LOG.info(
          "{}: built anew, since '{}' has dropped commits or files after version {}",
          silverTable.ref(),
          bronze.ref(),
          known.version());
      proof().requireImages(silver.read(), base(chunked, counts), version);
      return rebuild(version, chunked, counts);
    }
    Position complete = newest(arrival.get(), chunked, counts);
    boolean isNewBase =
        complete != null && (known.snapshot() == null || complete.isAfter(known.snapshot()));
    if (isNewBase && !Objects.equals(known.open(), complete)) {
      return rebuild(version, chunked, counts);
    }
    return advance(known, version, arrival.get(), chunked, isNewBase ? complete : null);
  }

  private static @Nullable Position newest(
      Arrival arrival, @Nullable OpenSnapshot chunked, Predicate<Position> counts) {
    Position whole = arrival.snapshots().stream().filter(counts).max(naturalOrder()).orElse(null);
    return later(whole, OpenSnapshot.complete(chunked));
  }

  private BronzeProof proof() {
    return new BronzeProof(bronze, silverTable.ref(), keys);
  }

  /** The newest complete snapshot. */
  private @Nullable Position base(@Nullable OpenSnapshot chunked, Predicate<Position> counts) {
    Position whole = changes.wholeSnapshot(counts).orElse(null);
    return later(whole, OpenSnapshot.complete(chunked));
  }

  private Applied rebuild(
      long version, @Nullable OpenSnapshot chunked, Predicate<Position> counts) {
    Position base = base(chunked, counts);
    Dataset<Row> images = BronzeRows.images(changes.at(version));
    if (base != null) {
      images = images.where(BronzeRows.changesAfter(base).or(BronzeRows.snapshotsFrom(base)));
    }
    Position end = changes.end(version).orElse(null);
    SilverNote note =
        new SilverNote(
            bronze.id(),
            BronzeTable.anInstanceIn(bronze).stream().findFirst().orElse(null),
            keys,
            version,
            later(end, base),
            base,
            OpenSnapshot.open(chunked),
            later(later(end, base), changes.seen(version).orElse(null)));
    // what silver was says nothing of what bronze makes it
    Dataset<Row> before = silver.read().limit(0);
    BronzeRows.Look look = proof().requireKeys(BronzeRows.Look.at(images, keys));
    silver.rebuild(fold(images, before, look, note), note);
    LOG.info("{}: built from version {} of '{}'", silverTable.ref(), version, bronze.ref());
    return new Applied(note, Applied.How.REBUILT);
  }

  /**
   * @param completed the chunked snapshot that has become complete since; null: none
   */
  private Applied advance(
      SilverNote known,
      long version,
      Arrival arrival,
      @Nullable OpenSnapshot chunked,
      @Nullable Position completed) {
    SilverNote note =
        new SilverNote(
            known.bronze(),
            known.instance(),
            keys,
            version,
            later(known.applied(), arrival.end()),
            completed == null ? known.snapshot() : completed,
            OpenSnapshot.open(chunked),
            seen(known, arrival));
    Dataset<Row> images = BronzeRows.images(arrival.rows());
    BronzeRows.Look look = proof().requireKeys(BronzeRows.Look.at(images, keys));
    Dataset<Row> all = images;
    if (look.stamp() != null) {
      // what was deleted after a chunk was read must stay so: bronze tells, silver can't
      Column isChange = BronzeRows.changesAfter(look.stamp());
      all =
          all.where(not(isChange))
              .unionByName(BronzeRows.images(changes.at(version)).where(isChange), true);
    }
    Optional<Dataset<Row>> absent = absent(arrival, chunked, completed);
    if (absent.isPresent()) {
      all = all.unionByName(absent.get(), true);
    }
    boolean hasMore = look.stamp() != null || absent.isPresent();
    if (hasMore) {
      look = BronzeRows.Look.at(all, keys);
    }
    long at = silverTable.version();
    if (look.rows() > 0) {
      SilverMerge merge = new SilverMerge(keys, columnsOf(bronze), silver.marks(), note.since());
      Dataset<Row> folded = fold(all, held(note.since()), look, note);
      silver.merge(merge.merge(folded, look.span(), note.json()));
    }
    boolean hasMoved = completed != null || !Objects.equals(note.open(), known.open());
    if (hasMoved && silverTable.version() == at) {
      silver.move(note);
    }
    return new Applied(note, completed == null ? Applied.How.ADVANCED : Applied.How.REBUILT);
  }

  /**
   * How far reads of snapshots may have seen: their commits say it, or else, after a whole one,
   * where its stream begins to follow.
   */
  private static @Nullable Position seen(SilverNote known, Arrival arrival) {
    boolean isFirstBatch =
        known.snapshot() != null && Objects.equals(known.applied(), known.snapshot());
    Position end = later(known.applied(), arrival.end());
    return later(isFirstBatch ? later(known.seen(), end) : known.seen(), arrival.seen());
  }

  /** Rows of silver that the snapshot's chunks, or the snapshot as a whole, don't have. */
  private Optional<Dataset<Row>> absent(
      Arrival arrival, @Nullable OpenSnapshot chunked, @Nullable Position completed) {
    if (completed != null) {
      return Optional.of(absentAt(silver.read().where(BronzeRows.isBefore(completed)), completed));
    }
    if (chunked == null) {
      return Optional.empty();
    }
    KeyRanges ranges = new KeyRanges(silverTable.schema(), chunked.keys());
    List<Dataset<Row>> all = new ArrayList<>();
    for (HeldWave wave : arrival.waves()) {
      if (wave.snapshot().equals(chunked.position())) {
        Position stamp = new Position(wave.snapshot().history(), wave.stamp());
        wave.chunks().stream()
            .flatMap(chunk -> ranges.within(chunk).stream())
            .reduce(Column::or)
            .map(
                within ->
                    absentAt(silver.read().where(within).where(BronzeRows.isBefore(stamp)), stamp))
            .ifPresent(all::add);
      }
    }
    return all.stream().reduce(Dataset::union);
  }

  private Dataset<Row> absentAt(Dataset<Row> rows, Position position) {
    return rows.select(keys.stream().map(Names::col).toArray(Column[]::new))
        .withColumn(BronzeColumns.HISTORY, lit(position.history()))
        .withColumn(BronzeColumns.START_LSN, lit(position.lsn().toString()))
        .withColumn(BronzeColumns.COMMAND_ID, lit(null).cast(DataTypes.IntegerType))
        .withColumn(BronzeColumns.SEQVAL, lit(null).cast(DataTypes.StringType))
        .withColumn(BronzeColumns.OPERATION, lit(ImageFold.ABSENT));
  }

  /** Rows of silver that images of now may go on from. */
  private Dataset<Row> held(@Nullable Position since) {
    return since == null ? silver.read() : silver.read().where(not(BronzeRows.isBefore(since)));
  }

  private Dataset<Row> fold(
      Dataset<Row> images, Dataset<Row> before, BronzeRows.Look look, SilverNote note) {
    List<String> columns = columnsOf(bronze);
    Dataset<Row> all =
        look.unknown().isEmpty()
            ? images.withColumn(Names.CARRIED, lit(-1))
            : new Moves(keys, columns, new Reach(note.since(), note.seen())).carry(images, before);
    return new ImageFold(keys, columns, look.unknown(), note.since()).fold(all);
  }

  private static @Nullable Position later(@Nullable Position a, @Nullable Position b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.isAfter(b) ? a : b;
  }
}
