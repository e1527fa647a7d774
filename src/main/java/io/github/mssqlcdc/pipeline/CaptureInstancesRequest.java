package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.pipeline.CaptureInstanceStatus.Need;
import io.github.mssqlcdc.snapshot.Generation;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.source.row.CaptureSet;
import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServers;
import io.github.mssqlcdc.type.CapturedColumn;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * A request for the capture instances of the stream's table, and which of them a stream still
 * needs. Reads only. Not thread-safe.
 *
 * <pre>{@code
 * List<CaptureInstanceStatus> instances =
 *     orders.captureInstances().appId("orders-v1").factsTable("ops.ingestion_facts").run();
 * }</pre>
 */
public final class CaptureInstancesRequest {
  private final SparkSession spark;
  private final Map<String, String> options;
  private @Nullable String appId;
  private @Nullable String factsTable;

  CaptureInstancesRequest(SparkSession spark, Map<String, String> options) {
    this.spark = spark;
    this.options = options;
  }

  /**
   * The stream that is asked about; needed with a facts table.
   *
   * <pre>{@code
   * orders.captureInstances().appId("orders-v1").factsTable("ops.ingestion_facts").run();
   * }</pre>
   */
  public CaptureInstancesRequest appId(String appId) {
    this.appId = appId;
    return this;
  }

  /**
   * That stream's facts table, which says how far it is; without it no instance is called done.
   *
   * <pre>{@code
   * orders.captureInstances().appId("orders-v1").factsTable("ops.ingestion_facts").run();
   * }</pre>
   */
  public CaptureInstancesRequest factsTable(String factsTable) {
    this.factsTable = factsTable;
    return this;
  }

  /**
   * Looks at the server and the facts.
   *
   * <pre>{@code
   * orders.captureInstances().run().forEach(System.out::println);
   * }</pre>
   *
   * @return the older instance first
   * @throws io.github.mssqlcdc.error.InvalidRequestException if the instance that the options name
   *     is unknown, or an argument is missing
   */
  public List<CaptureInstanceStatus> run() {
    String facts = Arguments.optional(factsTable, "factsTable");
    if (facts != null) {
      var unused = Arguments.requireAppId(appId);
    }
    StreamOptions parsed = StreamOptions.parse(options);
    SqlServer server = SqlServers.connect(parsed.source(), parsed.pollInterval());
    List<CapturedTable> tables =
        CaptureSet.load(server, parsed.source().captureInstance()).tables();
    Lsn position = facts == null || appId == null ? null : position(facts, appId);
    List<CaptureInstanceStatus> found = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      CaptureInstance instance = tables.get(i).instance();
      Lsn next = i + 1 < tables.size() ? tables.get(i + 1).instance().startLsn() : null;
      found.add(
          new CaptureInstanceStatus(
              instance.name(),
              tables.get(i).columns().stream().map(CapturedColumn::name).toList(),
              instance.startLsn(),
              next == null ? null : next.previous(),
              facts == null ? Need.UNKNOWN : need(position, next)));
    }
    return List.copyOf(found);
  }

  /**
   * @param position up to where the stream has read; null: nothing is known of it
   * @param next where the next instance takes over; null: nowhere
   */
  private static Need need(@Nullable Lsn position, @Nullable Lsn next) {
    boolean isDone = position != null && next != null && !position.next().isBefore(next);
    return isDone ? Need.DONE : Need.NEEDED;
  }

  private @Nullable Lsn position(String factsTable, String appId) {
    LakeTable table = LakeTable.of(spark, new DeltaTableRef(factsTable));
    table.requirePlace();
    if (!table.exists()) {
      return null;
    }
    FactsTable facts = FactsTable.open(table);
    Generation live = new SnapshotEvents(facts, appId, "", Clock.systemUTC()).generation();
    Offset start = live.number() == 0 ? null : live.start();
    return facts
        .newestEnd(live.sinkId(appId))
        .or(() -> Optional.ofNullable(start))
        .map(Offset::lsn)
        .orElse(null);
  }
}
