package io.github.mssqlcdc.delta.table;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.spark.sql.delta.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * The highest transaction version of application ids in one table. Delta's own look-up rebuilds the
 * state of the whole table in a Spark job, for each new version; that is done once per id here, and
 * only if the newest commits don't have it. From then on the commits since are read. Not
 * thread-safe.
 */
final class Transactions {
  private static final long NONE = -1;

  /** Commits read, one small file each, before the state is asked. */
  private static final int NEWEST = 10;

  private final CommitLog log;
  private final Map<String, Known> known = new HashMap<>();

  Transactions(CommitLog log) {
    this.log = log;
  }

  OptionalLong latest(Snapshot table, String appId) {
    Known now = follow(known.get(appId), table, appId);
    if (now == null) {
      now = find(table, appId);
    }
    known.put(appId, now);
    return now.latest == NONE ? OptionalLong.empty() : OptionalLong.of(now.latest);
  }

  /** The commit that carries this id, if it was met on the way. */
  Optional<Commit> carrier(TransactionId id) {
    return known.values().stream()
        .flatMap(found -> Stream.ofNullable(found.carrier))
        .filter(commit -> commit.carries(id))
        .findFirst();
  }

  /** What was known, brought up to this version of the table; null if that can't be done. */
  private @Nullable Known follow(@Nullable Known before, Snapshot table, String appId) {
    if (before == null
        || before.tableVersion > table.version()
        || !before.tableId.equals(table.metadata().id())) {
      return null;
    }
    long latest = before.latest;
    Commit carrier = before.carrier;
    for (long version = before.tableVersion + 1; version <= table.version(); version++) {
      Commit commit = log.read(version).orElse(null);
      if (commit == null) {
        return null;
      }
      for (TransactionId id : commit.transactions()) {
        if (id.appId().equals(appId) && id.version() > latest) {
          latest = id.version();
          carrier = commit;
        }
      }
    }
    return new Known(before.tableId, table.version(), latest, carrier);
  }

  /** A later commit's version counts, not an earlier one's: versions of an id only grow. */
  private Known find(Snapshot table, String appId) {
    String tableId = table.metadata().id();
    long version = table.version();
    for (; version >= 0 && version > table.version() - NEWEST; version--) {
      Commit commit = log.read(version).orElse(null);
      if (commit == null) {
        break;
      }
      OptionalLong here =
          commit.transactions().stream()
              .filter(id -> id.appId().equals(appId))
              .mapToLong(TransactionId::version)
              .max();
      if (here.isPresent()) {
        return new Known(tableId, table.version(), here.getAsLong(), commit);
      }
    }
    long latest = version < 0 ? NONE : inState(table, appId);
    return new Known(tableId, table.version(), latest, null);
  }

  private static long inState(Snapshot table, String appId) {
    return table.transactions().get(appId).isDefined()
        ? (Long) table.transactions().apply(appId)
        : NONE;
  }

  /**
   * @param carrier the commit with the latest version; null if it wasn't met
   */
  private record Known(String tableId, long tableVersion, long latest, @Nullable Commit carrier) {}
}
