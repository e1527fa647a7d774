package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.backfill.WholeSnapshot;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.UnknownOptions;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.snapshot.SnapshotState;
import java.time.Clock;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * A request for a snapshot of the whole table. Not thread-safe.
 *
 * <pre>{@code
 * Offset at = CdcStream.of(spark, options).snapshot("bronze.orders").run();
 * }</pre>
 */
public final class SnapshotRequest {
  private final SparkSession spark;
  private final Map<String, String> options;
  private final String target;
  private @Nullable String appId;
  private @Nullable String factsTable;
  private boolean resnapshot;

  SnapshotRequest(SparkSession spark, Map<String, String> options, String target) {
    this.spark = spark;
    this.options = options;
    this.target = target;
  }

  /**
   * The application id of the stream that the target belongs to; needed with a facts table.
   *
   * <pre>{@code
   * orders.snapshot("bronze.orders").appId("orders-v1").factsTable("ops.ingestion_facts").run();
   * }</pre>
   */
  public SnapshotRequest appId(String appId) {
    this.appId = appId;
    return this;
  }

  /**
   * The facts table of that stream.
   *
   * <pre>{@code
   * orders.snapshot("bronze.orders").appId("orders-v1").factsTable("ops.ingestion_facts").run();
   * }</pre>
   */
  public SnapshotRequest factsTable(String factsTable) {
    this.factsTable = factsTable;
    return this;
  }

  /**
   * Whether a new snapshot is taken though the target holds one: after a data loss. A stream goes
   * on from it with a new appId and checkpoint, or, with {@code onDataLoss} RESNAPSHOT, finds it.
   *
   * <pre>{@code
   * Offset at = orders.snapshot("bronze.orders").resnapshot(true).run();
   * }</pre>
   */
  public SnapshotRequest resnapshot(boolean resnapshot) {
    this.resnapshot = resnapshot;
    return this;
  }

  /**
   * Takes the snapshot in one Delta commit, unless the target holds one: then nothing is read. No
   * facts row is written.
   *
   * <pre>{@code
   * Offset at = orders.snapshot("bronze.orders").run();
   * }</pre>
   *
   * @return its position: a stream that starts there reads every change after the snapshot
   * @throws io.github.mssqlcdc.error.InvalidRequestException if an argument is missing or isn't
   *     allowed
   * @throws io.github.mssqlcdc.error.InvalidRequestException SNAPSHOT_OPEN if a chunked snapshot is
   *     open, by the facts table
   * @throws io.github.mssqlcdc.error.DataLossException if CDC cleanup overtook the snapshot
   */
  public Offset run() {
    DeltaTableRef bronze = new DeltaTableRef(target);
    String facts = Arguments.optional(factsTable, "factsTable");
    String id = Arguments.appIdOf(facts, appId);
    UnknownOptions.log(options);
    RequestTables tables =
        RequestTables.open(spark, bronze, facts == null ? null : new DeltaTableRef(facts));
    Source source = Source.reach(spark, options);
    source.requireFits(tables.target(), () -> false);
    WholeSnapshot whole = source.snapshotInto(source.bronze(tables.target()), Clock.systemUTC());
    SnapshotEvents events = id == null ? null : tables.eventsThere(id, Clock.systemUTC());
    SnapshotState told = events == null ? SnapshotState.UNKNOWN : events.state();
    return resnapshot ? whole.aloneAnew(told) : whole.alone(told);
  }
}
