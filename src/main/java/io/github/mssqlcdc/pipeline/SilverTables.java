package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.bronze.BronzeChanges;
import io.github.mssqlcdc.control.ControlTable;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables beside bronze and silver.
 *
 * @param facts null: none is given
 * @param controlTable null: none is given
 */
record SilverTables(@Nullable LakeTable facts, @Nullable LakeTable controlTable) {
  private static final Logger LOG = LoggerFactory.getLogger(SilverTables.class);

  /**
   * @throws InvalidRequestException if a name or path leads nowhere, or two lead to one table
   */
  static SilverTables open(
      SparkSession spark,
      LakeTable bronze,
      LakeTable silver,
      @Nullable String facts,
      @Nullable String control) {
    SilverTables tables = new SilverTables(table(spark, facts), table(spark, control));
    Map<String, LakeTable> all = new LinkedHashMap<>();
    all.put("bronze", bronze);
    all.put("silver", silver);
    if (tables.facts != null) {
      all.put("factsTable", tables.facts);
    }
    if (tables.controlTable != null) {
      all.put("controlTable", tables.controlTable);
    }
    Map<String, String> places = new HashMap<>();
    for (Map.Entry<String, LakeTable> entry : all.entrySet()) {
      entry.getValue().requirePlace();
      String other = places.put(entry.getValue().place(), entry.getKey());
      if (other != null) {
        throw Arguments.invalid(
            "Invalid "
                + entry.getKey()
                + " '"
                + entry.getValue().ref()
                + "': it is the same table as "
                + other
                + "; give each a table of its own");
      }
    }
    return tables;
  }

  private static @Nullable LakeTable table(SparkSession spark, @Nullable String name) {
    return name == null ? null : LakeTable.of(spark, new DeltaTableRef(name));
  }

  @Nullable ControlTable control(Clock clock) {
    return controlTable == null ? null : ControlTable.open(controlTable, clock);
  }

  /**
   * The snapshots of bronze that the facts tell of.
   *
   * @throws InvalidRequestException if bronze has chunks of a snapshot, and nothing tells of it
   */
  SilverSnapshots snapshots(@Nullable String appId, LakeTable bronze, Clock clock) {
    SnapshotState state = SnapshotState.UNKNOWN;
    if (facts != null && appId != null && facts.exists()) {
      state = new SnapshotEvents(FactsTable.open(facts), appId, bronze.ref().text(), clock).state();
    }
    Set<String> targets =
        state.opens().stream()
            .map(SnapshotOpen::target)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> spellings = targets.stream().filter(bronze::isCalled).collect(Collectors.toSet());
    if (spellings.isEmpty()) {
      requireNoChunks(bronze, appId, targets);
    }
    return new SilverSnapshots(state, spellings);
  }

  private void requireNoChunks(LakeTable bronze, @Nullable String appId, Set<String> targets) {
    if (new BronzeChanges(bronze).hasChunks()) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Cannot apply '"
              + bronze.ref()
              + "': it has chunks of a snapshot, and "
              + (facts == null || appId == null
                  ? "only the facts say how far that is: give .appId(…) and .factsTable(…) of its"
                      + " stream"
                  : "the facts in '"
                      + facts.ref()
                      + "' have no snapshot_open row of application '"
                      + appId
                      + "' that names it"
                      + (targets.isEmpty() ? "" : ", only of " + targets)
                      + "; give the appId and factsTable of the stream that fills it"));
    }
    if (!targets.isEmpty()) {
      LOG.warn(
          "{}: the snapshots that application '{}' has in '{}' are of {}, not of it; they don't"
              + " count",
          bronze.ref(),
          appId,
          facts == null ? null : facts.ref(),
          targets);
    }
  }
}
