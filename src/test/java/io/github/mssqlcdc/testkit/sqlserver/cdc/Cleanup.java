package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;

/**
 * The steps of a cleanup, in their order: low marks, rows of the change tables in batches, entries
 * of the map. Each is a storage transaction of its own, so readers meet a moved mark with rows
 * below it still there. Not thread-safe.
 */
final class Cleanup {
  private final DatabaseStore store;
  private final InstanceCatalog instances;
  private final InstanceMetadata metadata;
  private final LsnTimeMapping map;

  Cleanup(
      DatabaseStore store,
      InstanceCatalog instances,
      InstanceMetadata metadata,
      LsnTimeMapping map) {
    this.store = store;
    this.instances = instances;
    this.metadata = metadata;
    this.map = map;
  }

  /** Moves the low marks of all instances to what the retention leaves. */
  void moveMarks(Duration retention) {
    Optional<LocalDateTime> newest = map.newestEndTime();
    newest
        .map(time -> map.smallest(">=", time.minus(retention)))
        .ifPresent(mark -> store.update(List.of(metadata.raiseStartLsns(mark))));
  }

  /** Moves one instance's low mark, up or down. */
  void moveMark(CaptureInstance instance, byte[] mark) {
    store.update(List.of(metadata.setStartLsn(instance, mark)));
  }

  void deleteChanges(int batch) {
    instances.all().forEach(instance -> deleteChanges(instance, batch));
  }

  void deleteChanges(CaptureInstance instance, int batch) {
    byte[] mark = metadata.startLsn(instance);
    if (mark == null) {
      return;
    }
    String table = Sql.cdcTable(instance.changeTable());
    String count = "SELECT COUNT(*) FROM " + table + " WHERE \"__$start_lsn\" < ?";
    Statement delete =
        Sql.statement(
            "DELETE FROM "
                + table
                + " WHERE \"__$start_lsn\" < ? FETCH FIRST "
                + batch
                + " ROWS ONLY",
            (Object) mark);
    long left = ((Number) store.query(count, (Object) mark).get(0)[0]).longValue();
    for (; left > 0; left -= batch) {
      store.update(List.of(delete));
    }
  }

  /** Deletes the map's entries below the lowest mark. */
  void trimMap() {
    byte[] lowest = metadata.lowestStartLsn();
    if (lowest != null) {
      store.update(List.of(map.deleteBelow(lowest)));
    }
  }
}
