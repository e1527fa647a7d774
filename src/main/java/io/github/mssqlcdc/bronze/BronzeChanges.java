package io.github.mssqlcdc.bronze;

import static java.util.Comparator.naturalOrder;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.max;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.delta.table.Commit;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.delta.table.StoredJson;
import io.github.mssqlcdc.lsn.Lsn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/** What has come into a bronze table, by its versions. Not thread-safe. */
public final class BronzeChanges {
  private final LakeTable table;

  public BronzeChanges(LakeTable table) {
    this.table = table;
  }

  /** The rows as they were at this version. */
  public Dataset<Row> at(long version) {
    return table.readAt(version);
  }

  /** Whether the table has rows of a chunked snapshot. A Spark job. */
  public boolean hasChunks() {
    return !table.read().where(col(BronzeColumns.CHUNK).isNotNull()).limit(1).isEmpty();
  }

  /**
   * What the commits after one version up to another brought; empty once the log has dropped one of
   * them, or vacuum a file of theirs.
   */
  public Optional<Arrival> between(long after, long through) {
    List<Commit> commits =
        LongStream.rangeClosed(after + 1, through)
            .mapToObj(table::commit)
            .flatMap(Optional::stream)
            .toList();
    return commits.size() < through - after
        ? Optional.empty()
        : table.rowsOf(after + 1, through).map(rows -> arrival(rows, commits));
  }

  private static Arrival arrival(Dataset<Row> rows, List<Commit> commits) {
    List<Position> snapshots = new ArrayList<>();
    Position end = null;
    List<HeldWave> waves = new ArrayList<>();
    Position seen =
        commits.stream()
            .flatMap(commit -> CommitNote.seen(commit).stream())
            .max(naturalOrder())
            .orElse(null);
    for (Commit commit : commits) {
      int history = CommitNote.history(commit).orElse(0);
      if (CommitNote.snapshotOf(commit).isPresent()) {
        snapshots.add(new Position(history, CommitNote.stamp(commit).lsn()));
      }
      wave(commit, history).ifPresent(waves::add);
      Optional<BatchRange> range = CommitNote.range(commit);
      if (range.isPresent()) {
        end = new Position(history, range.get().end().lsn());
      }
    }
    return new Arrival(rows, waves, snapshots, end, seen);
  }

  private static Optional<HeldWave> wave(Commit commit, int history) {
    return CommitNote.chunkedSnapshot(commit)
        .map(
            snapshot -> {
              JsonNode note = StoredJson.parse(commit.userMetadata()).orElseThrow();
              List<HeldWave.Bounds> chunks = new ArrayList<>();
              note.path(CommitNote.CHUNKS)
                  .forEach(
                      chunk ->
                          chunks.add(
                              new HeldWave.Bounds(
                                  chunk.path("lo").asText(), chunk.path("hi").asText())));
              Lsn stamp = Lsn.parse(note.path(CommitNote.LSN).asText());
              return new HeldWave(new Position(history, snapshot), stamp, chunks);
            });
  }

  /** The position that the newest batch ended at, or else the highest change has. */
  public Optional<Position> end(long version) {
    return table
        .newestCommits()
        .filter(commit -> commit.version() <= version)
        .limit(BronzeTable.COMMITS_LOOKED_AT)
        .flatMap(
            commit ->
                CommitNote.range(commit).stream()
                    .map(
                        range ->
                            new Position(CommitNote.history(commit).orElse(0), range.end().lsn())))
        .findFirst()
        .or(() -> endOfRows(version));
  }

  /**
   * How far the reads of snapshots may have seen, as far as the newest and the oldest commits tell.
   */
  public Optional<Position> seen(long version) {
    return Stream.concat(
            table
                .newestCommits()
                .filter(commit -> commit.version() <= version)
                .limit(BronzeTable.COMMITS_LOOKED_AT),
            table.oldestCommits().limit(BronzeTable.COMMITS_LOOKED_AT))
        .flatMap(commit -> CommitNote.seen(commit).stream())
        .max(naturalOrder());
  }

  private Optional<Position> endOfRows(long version) {
    Row row =
        at(version)
            .where(col(BronzeColumns.OPERATION).notEqual(BronzeColumns.SNAPSHOT_ROW))
            .groupBy(BronzeColumns.HISTORY)
            .agg(max(BronzeColumns.START_LSN))
            .orderBy(col(BronzeColumns.HISTORY).desc())
            .collectAsList()
            .stream()
            .findFirst()
            .orElse(null);
    return Optional.ofNullable(row)
        .map(found -> new Position(found.getInt(0), Lsn.parse(found.getString(1))));
  }

  /** The newest whole snapshot that the table holds, other than those that don't count. */
  public Optional<Position> wholeSnapshot(Predicate<Position> counts) {
    return new SnapshotSearch(
            table, instance -> true, held -> !held.isChunked() && counts.test(position(held)))
        .newest()
        .map(BronzeChanges::position);
  }

  private static Position position(HeldSnapshot held) {
    return new Position(held.history(), held.stamp().lsn());
  }

  /**
   * What commits brought.
   *
   * @param rows all of it
   * @param waves of chunked snapshots, in their order
   * @param snapshots the whole snapshots among it
   * @param end where the last batch among it ended; null: there is none
   * @param seen how far the reads of snapshots among it may have seen; null if not known
   */
  public record Arrival(
      Dataset<Row> rows,
      List<HeldWave> waves,
      List<Position> snapshots,
      @Nullable Position end,
      @Nullable Position seen) {}
}
