package io.github.mssqlcdc.plans;

import static org.apache.spark.sql.functions.max;

import io.github.mssqlcdc.delta.schema.TableColumn;
import io.github.mssqlcdc.delta.schema.VersionedTable;
import io.github.mssqlcdc.delta.table.Append.Outcome;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.delta.table.TableDefinition;
import io.github.mssqlcdc.delta.table.TransactionId;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.SnapshotId;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * The plans of a target's chunked snapshots: append-only, each entry once. It holds key values,
 * which the facts never do. Not thread-safe.
 */
public final class PlansTable {
  /** What the table's name has behind the target's. */
  public static final String SUFFIX = "_snapshot_plans";

  private static final StructType SCHEMA = TableColumn.schema(PlansColumn.values());

  /**
   * Opens and plans. A file's statistics tell that it has none, which its entries' kinds don't:
   * open and plan lie between chunk and wave.
   */
  private static final Column IS_OF_NO_WAVE = PlansColumn.WAVE.column().isNull();

  private final LakeTable table;
  private final Clock clock;

  private PlansTable(LakeTable table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  /**
   * The plans table, created if there is none.
   *
   * @param clock in UTC
   * @throws InvalidRequestException if another table stands there, or one of a later release
   */
  public static PlansTable open(LakeTable table, Clock clock) {
    VersionedTable.open(
        table,
        new TableDefinition(
            "Plans of chunked snapshots, append-only. It holds values of the source's key: give it"
                + " the access policy of the target",
            SCHEMA,
            Stream.of(PlansColumn.values())
                .filter(PlansColumn::hasStatistics)
                .map(PlansColumn::columnName)
                .toList(),
            Map.of()));
    requireColumns(table);
    return new PlansTable(table, clock);
  }

  private static void requireColumns(LakeTable table) {
    Set<String> there = Set.of(table.schema().fieldNames());
    for (String name : SCHEMA.fieldNames()) {
      if (!there.contains(name)) {
        throw new InvalidRequestException(
            ErrorCode.INVALID_TARGET,
            "Cannot keep plans of snapshots in '"
                + table.ref()
                + "': it has no column "
                + name
                + ", so it is no plans table; its name is the target's with "
                + SUFFIX
                + ", so rename that table, or choose another target");
      }
    }
  }

  /** The number of the newest open of this application, whether the facts have it or not. */
  public OptionalInt newestOpen(String appId) {
    return newest(opens(appId));
  }

  /** Keeps an open; false if this number, or a higher one, is there already. */
  public boolean append(String appId, Extent extent) {
    Row row = new PlansRows(id(appId, extent), clock).open(extent);
    return append(List.of(row), opens(appId), extent.open());
  }

  /** The open of this number; empty if there is none. A Spark job. */
  public Optional<Extent> extent(String appId, int open) {
    return table
        .read()
        .where(PlansColumn.APP_ID.column().equalTo(appId))
        .where(PlansColumn.OPEN.column().equalTo(open))
        .where(PlansColumn.ENTRY.column().equalTo(PlansRows.OPEN))
        .where(IS_OF_NO_WAVE)
        .limit(1)
        .collectAsList()
        .stream()
        .findFirst()
        .map(PlansRows::extent);
  }

  public boolean hasPlan(SnapshotId id) {
    return table.latestTransaction(plans(id)).isPresent();
  }

  /** Keeps the plan; false if there is one already. */
  public boolean append(SnapshotId id, Extent extent, long chunkRows, List<ChunkBounds> chunks) {
    PlansRows rows = new PlansRows(id, clock);
    return append(
        chunks.stream().map(chunk -> rows.plan(extent, chunkRows, chunk)).toList(), plans(id), 0);
  }

  /** Planned chunks from a number on, in their order. A Spark job. */
  public List<ChunkBounds> planned(SnapshotId id, int from, int count) {
    return entries(id, PlansRows.PLAN)
        .where(IS_OF_NO_WAVE)
        .where(PlansColumn.CHUNK.column().geq(from))
        .where(PlansColumn.CHUNK.column().lt((long) from + count))
        .orderBy(PlansColumn.CHUNK.column())
        .collectAsList()
        .stream()
        .map(PlansRows::planned)
        .toList();
  }

  /** The plan that is there. A Spark job. */
  public Planned plan(SnapshotId id) {
    Row row =
        entries(id, PlansRows.PLAN)
            .where(IS_OF_NO_WAVE)
            .agg(max(PlansColumn.CHUNK.column()), max(PlansColumn.CHUNK_ROWS.column()))
            .head();
    return row.isNullAt(0) ? new Planned(0, 0) : new Planned(row.getInt(0) + 1, row.getLong(1));
  }

  /**
   * A plan as a whole.
   *
   * @param chunks how many chunks it has
   * @param chunkRows how many rows each was to have
   */
  public record Planned(int chunks, long chunkRows) {}

  /** The number of the last wave that {@link #append(SnapshotId, Progress, ReadWave)} has kept. */
  public OptionalInt newestWave(SnapshotId id) {
    return newest(waves(id));
  }

  /**
   * Keeps a wave that is in bronze; false if this number, or a higher one, is there already.
   *
   * @param before what was done before it
   */
  public boolean append(SnapshotId id, Progress before, ReadWave wave) {
    PlansRows rows = new PlansRows(id, clock);
    List<Row> all =
        Stream.concat(
                wave.chunks().stream().map(chunk -> rows.chunk(wave, chunk)),
                Stream.of(rows.wave(wave, before.plus(wave))))
            .toList();
    return append(all, waves(id), wave.wave());
  }

  /** What was done up to the newest wave. A Spark job that reads one wave's entries. */
  public Progress progress(SnapshotId id) {
    OptionalInt newest = newestWave(id);
    return newest.isEmpty()
        ? Progress.NONE
        : ofWave(id, newest.getAsInt(), PlansRows.WAVE).stream()
            .findFirst()
            .map(PlansRows::progress)
            .orElseThrow(() -> missing(id, newest.getAsInt()));
  }

  /** A wave as it was kept. A Spark job. */
  public ReadWave wave(SnapshotId id, int wave) {
    Map<String, List<Row>> rows =
        ofWave(id, wave, PlansRows.CHUNK, PlansRows.WAVE).stream()
            .collect(Collectors.groupingBy(PlansRows::entry));
    if (!rows.containsKey(PlansRows.WAVE)) {
      throw missing(id, wave);
    }
    return PlansRows.wave(
        rows.get(PlansRows.WAVE).get(0), rows.getOrDefault(PlansRows.CHUNK, List.of()));
  }

  /** The chunks that were read, as they were kept, in the order of their numbers. A Spark job. */
  public List<ReadChunk> chunks(SnapshotId id) {
    return entries(id, PlansRows.CHUNK)
        .orderBy(PlansColumn.CHUNK.column(), PlansColumn.WAVE.column())
        .collectAsList()
        .stream()
        .map(PlansRows::read)
        .toList();
  }

  private InvalidRequestException missing(SnapshotId id, int wave) {
    return new InvalidRequestException(
        ErrorCode.INVALID_TARGET,
        "Cannot go on with "
            + id
            + ": '"
            + table.ref()
            + "' has lost the entries of wave "
            + wave
            + ". It is append-only: nothing may be deleted from it while a snapshot is open. Give"
            + " the snapshot up with abandonSnapshot, and open another");
  }

  private List<Row> ofWave(SnapshotId id, int wave, String... entries) {
    return entries(id, entries)
        .where(PlansColumn.WAVE.column().equalTo(wave))
        .orderBy(PlansColumn.CHUNK.column())
        .collectAsList();
  }

  private Dataset<Row> entries(SnapshotId id, String... entries) {
    return table
        .read()
        .where(PlansColumn.APP_ID.column().equalTo(id.appId()))
        .where(PlansColumn.OPEN.column().equalTo(id.open()))
        .where(PlansColumn.ENTRY.column().isin((Object[]) entries));
  }

  private OptionalInt newest(String application) {
    OptionalLong newest = table.latestTransaction(application);
    return newest.isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of(Math.toIntExact(newest.getAsLong()));
  }

  private boolean append(List<Row> rows, String application, long version) {
    return table.append(rows, SCHEMA, new TransactionId(application, version))
        instanceof Outcome.Committed;
  }

  private static SnapshotId id(String appId, Extent extent) {
    return new SnapshotId(appId, extent.position().lsn(), extent.open());
  }

  private static String opens(String appId) {
    return appId + "#extent";
  }

  private static String plans(SnapshotId id) {
    return id.transaction("plan");
  }

  private static String waves(SnapshotId id) {
    return id.transaction("read");
  }
}
