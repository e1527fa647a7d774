package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.snapshot.Purpose;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request to give up the snapshot that is open: one whose run has died, or a chunked one that is
 * no longer wanted. Not thread-safe.
 *
 * <pre>{@code
 * CdcStream.of(spark, options)
 *     .abandonSnapshot("bronze.orders")
 *     .appId("orders-v1")
 *     .factsTable("ops.ingestion_facts")
 *     .run();
 * }</pre>
 */
public final class AbandonSnapshotRequest {
  private static final Logger LOG = LoggerFactory.getLogger(AbandonSnapshotRequest.class);

  private final SparkSession spark;
  private final String target;
  private @Nullable String appId;
  private @Nullable String factsTable;

  AbandonSnapshotRequest(SparkSession spark, String target) {
    this.spark = spark;
    this.target = target;
  }

  /**
   * The application id of the stream that opened the snapshot. Required.
   *
   * <pre>{@code
   * orders.abandonSnapshot("bronze.orders").appId("orders-v1")
   * }</pre>
   */
  public AbandonSnapshotRequest appId(String appId) {
    this.appId = appId;
    return this;
  }

  /**
   * The facts table of that stream. Required.
   *
   * <pre>{@code
   * orders.abandonSnapshot("bronze.orders").appId("orders-v1").factsTable("ops.ingestion_facts")
   * }</pre>
   */
  public AbandonSnapshotRequest factsTable(String factsTable) {
    this.factsTable = factsTable;
    return this;
  }

  /**
   * Gives the open snapshot up. Rows that it has in the target stay, and count as nothing; a run
   * that still reads a full one appends nothing, a backfill stops before its next wave.
   *
   * <pre>{@code
   * Optional<Offset> givenUp = orders.abandonSnapshot("bronze.orders").appId("orders-v1")
   *     .factsTable("ops.ingestion_facts").run();
   * }</pre>
   *
   * @return where the snapshot given up stood; empty if none was open
   * @throws io.github.mssqlcdc.error.InvalidRequestException if an argument is missing or isn't
   *     allowed, or the open snapshot goes into another target
   */
  public Optional<Offset> run() {
    String id = Arguments.requireAppId(appId);
    DeltaTableRef facts =
        new DeltaTableRef(Arguments.require(factsTable, "factsTable", "ops.ingestion_facts"));
    DeltaTableRef bronze = new DeltaTableRef(target);
    LakeTable table = LakeTable.of(spark, facts);
    table.requirePlace();
    if (!table.exists()) {
      return Optional.empty();
    }
    SnapshotEvents events =
        new SnapshotEvents(FactsTable.open(table), id, bronze.text(), Clock.systemUTC());
    SnapshotState state = events.state();
    LakeTable given = LakeTable.of(spark, bronze);
    Optional<SnapshotOpen> open = state.current().or(() -> forgotten(events, state, id, bronze));
    open.ifPresent(
        snapshot -> {
          if (!given.isCalled(snapshot.target())) {
            throw Arguments.invalid(
                "Cannot give up a snapshot of '"
                    + bronze
                    + "': "
                    + snapshot.description()
                    + " of '"
                    + id
                    + "' goes into '"
                    + snapshot.target()
                    + "'. Give that target, under this name also where the table was renamed");
          }
          events.abandoned(snapshot);
          LOG.info("{}: gave up {} of {}", id, snapshot.description(), bronze);
        });
    return open.map(SnapshotOpen::position);
  }

  /** One whose row was deleted from the facts; the plans table knows where it stood. */
  private Optional<SnapshotOpen> forgotten(
      SnapshotEvents events, SnapshotState state, String id, DeltaTableRef bronze) {
    OptionalInt number = events.forgotten(state);
    return number.isEmpty()
        ? Optional.empty()
        : new TargetPlans(spark, bronze, Clock.systemUTC())
            .there()
            .flatMap(plans -> plans.extent(id, number.getAsInt()))
            .map(
                extent ->
                    new SnapshotOpen(
                        extent.open(),
                        SnapshotMode.CHUNKED,
                        Purpose.BOOTSTRAP,
                        extent.position(),
                        extent.history(),
                        extent.keys(),
                        bronze.text(),
                        null,
                        null));
  }
}
