package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.control.ControlEntry;
import io.github.mssqlcdc.control.ControlTable;
import io.github.mssqlcdc.control.Verdict;
import io.github.mssqlcdc.delta.schema.VersionedTable;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.options.UnknownOptions;
import io.github.mssqlcdc.silver.Applied;
import io.github.mssqlcdc.silver.ApplyChanges;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * A request to keep a silver table, one row per key, equal to the source table, by what is new in
 * its change log. Not thread-safe.
 *
 * <pre>{@code
 * ApplyResult result =
 *     CdcStream.of(spark, options)
 *         .applyChanges("bronze.orders", "silver.orders")
 *         .appId("orders-v1")
 *         .factsTable("ops.ingestion_facts")
 *         .controlTable("ops.control")
 *         .run();
 * }</pre>
 */
public final class ApplyChangesRequest {
  private final SparkSession spark;
  private final Map<String, String> options;
  private final String bronze;
  private final String silver;
  private @Nullable List<String> keys;
  private @Nullable String appId;
  private @Nullable String factsTable;
  private @Nullable String controlTable;

  ApplyChangesRequest(
      SparkSession spark, Map<String, String> options, String bronze, String silver) {
    this.spark = spark;
    this.options = options;
    this.bronze = bronze;
    this.silver = silver;
  }

  /**
   * The columns that identify a row; letter case is ignored. Without it those that silver was made
   * with, or else those of the unique index that CDC knows of.
   *
   * <pre>{@code
   * orders.applyChanges("bronze.orders", "silver.orders").keys("region", "order_id")
   * }</pre>
   */
  public ApplyChangesRequest keys(String... keys) {
    this.keys = List.of(keys);
    return this;
  }

  /**
   * The application id of the stream that fills bronze; needed with a facts table.
   *
   * <pre>{@code
   * orders.applyChanges("bronze.orders", "silver.orders").appId("orders-v1")
   *     .factsTable("ops.ingestion_facts")
   * }</pre>
   */
  public ApplyChangesRequest appId(String appId) {
    this.appId = appId;
    return this;
  }

  /**
   * The facts table of that stream. Needed where bronze has a chunked snapshot: it says how far
   * that is.
   *
   * <pre>{@code
   * orders.applyChanges("bronze.orders", "silver.orders").appId("orders-v1")
   *     .factsTable("ops.ingestion_facts")
   * }</pre>
   */
  public ApplyChangesRequest factsTable(String factsTable) {
    this.factsTable = factsTable;
    return this;
  }

  /**
   * The table that silver's position and verdict are put down in; created if it isn't there.
   *
   * <pre>{@code
   * orders.applyChanges("bronze.orders", "silver.orders").controlTable("ops.control")
   * }</pre>
   */
  public ApplyChangesRequest controlTable(String controlTable) {
    this.controlTable = controlTable;
    return this;
  }

  /**
   * Applies what is new in bronze, in one commit to silver; none if nothing is. Silver is created
   * by the first call. A call that was killed is made good by the next.
   *
   * <pre>{@code
   * ApplyResult result = orders.applyChanges("bronze.orders", "silver.orders").run();
   * }</pre>
   *
   * @throws io.github.mssqlcdc.error.InvalidRequestException if an argument is missing or isn't
   *     allowed, there are no keys, or a table is of another kind
   * @throws io.github.mssqlcdc.error.CdcException if the source has to be asked for its keys and
   *     can't be reached
   */
  public ApplyResult run() {
    requireArguments();
    UnknownOptions.log(options);
    LakeTable bronzeTable = LakeTable.of(spark, new DeltaTableRef(bronze));
    LakeTable silverTable = LakeTable.of(spark, new DeltaTableRef(silver));
    SilverTables tables =
        SilverTables.open(spark, bronzeTable, silverTable, factsTable, controlTable);
    if (!bronzeTable.exists()) {
      return new ApplyResult(false, null, null, false);
    }
    BronzeTable.requireIs(bronzeTable);
    if (silverTable.exists()) {
      VersionedTable.check(silverTable);
    }
    SilverKeys silverKeys = new SilverKeys(spark, options, bronzeTable, silverTable);
    ApplyChanges apply = new ApplyChanges(bronzeTable, silverTable, silverKeys.of(keys));
    ControlTable control = tables.control(Clock.systemUTC());
    // each is read before what it must not be ahead of: verdict, then facts, then bronze
    Verdict verdict = control == null ? null : verdict(control);
    SilverSnapshots snapshots = tables.snapshots(appId, bronzeTable, Clock.systemUTC());
    Applied applied = apply.run(snapshots.chunked(), snapshots::counts);
    ControlEntry entry = control == null ? null : put(control, applied, verdict);
    Verdict now = entry == null ? null : entry.verdict();
    return new ApplyResult(
        applied.how() == Applied.How.REBUILT,
        applied.appliedLsn(),
        now == null ? null : now.finalizedUntil(),
        true);
  }

  private void requireArguments() {
    String unused = Arguments.appIdOf(Arguments.optional(factsTable, "factsTable"), appId);
    String ignored = Arguments.optional(controlTable, "controlTable");
  }

  private @Nullable Verdict verdict(ControlTable control) {
    return control.find(bronze).map(ControlEntry::verdict).orElse(null);
  }

  /** Nothing is written where the row says the same already. */
  private ControlEntry put(ControlTable control, Applied applied, @Nullable Verdict verdict) {
    // rows of an open snapshot are still to come, so the verdict waits for its end
    Verdict moved = applied.isOpen() ? null : verdict;
    ControlEntry there = control.find(silver).orElse(null);
    boolean isSame =
        there != null
            && there.position().equals(applied.position())
            && there.history() == applied.history()
            && (moved == null || !moved.isBeyond(there.verdict()));
    return there != null && isSame
        ? there
        : control.apply(silver, applied.position(), moved, applied.history());
  }
}
