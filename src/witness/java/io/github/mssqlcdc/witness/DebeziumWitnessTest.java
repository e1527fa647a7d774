package io.github.mssqlcdc.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Debezium's connector and this library read the same history and tell the same: commits, their
 * order, values before and after. Debezium knows real servers; were the stand-in not like one, it
 * would stumble.
 */
@Tag("spark")
final class DebeziumWitnessTest {
  private static final String SNAPSHOT_ROW = "r";

  private final StandInDatabase database = StandInDatabase.start();
  private final RandomHistory history = new RandomHistory(database, 20261130);
  private final Map<String, OurRows> ours = new HashMap<>();
  private final Map<String, List<Map<String, String>>> snapshots = new HashMap<>();
  private final List<SourceRecord> earlier = new ArrayList<>();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @BeforeEach
  void prepare() {
    history.create();
    for (String table : RandomHistory.TABLES) {
      OurRows rows = new OurRows(database, table, folder);
      ours.put(table, rows);
      snapshots.put(table, rows.snapshot());
    }
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void findsItsSettingsValidOnTheStandIn() {
    assertThat(Debezium.objections(database, folder, database.password())).isEmpty();
    assertThat(Debezium.objections(database, folder, "wrong"))
        .singleElement()
        .asString()
        .contains("Login failed");
  }

  @Test
  void tellsTheSameOfAThousandTransactionsOverRestartAndCleanup() throws Exception {
    try (Debezium debezium = start()) {
      awaitAll(debezium);
      history.run(400);
      earlier.addAll(awaitAll(debezium));
    }
    history.run(400);
    List<Change> theirs;
    try (Debezium debezium = start()) {
      awaitAll(debezium);
      database.standIn().cleanup(Duration.ZERO);
      history.run(200);
      theirs = DebeziumEvents.of(told(awaitAll(debezium)));
    }

    assertThat(theirs).extracting(Change::operation).contains("c", "u", "d", SNAPSHOT_ROW);
    for (String table : RandomHistory.TABLES) {
      assertThat(ofTable(theirs, table).stream().filter(DebeziumWitnessTest::isSnapshotRow))
          .extracting(Change::after)
          .describedAs("Snapshot of %s", table)
          .containsExactlyInAnyOrderElementsOf(snapshots.get(table));
      assertSame(changes(ofTable(theirs, table)), ours(table).changes());
    }
    assertThat(changes(theirs).stream().map(Change::commit).distinct())
        .containsExactlyElementsOf(commits());
  }

  private Debezium start() {
    String tables = "dbo." + String.join(",dbo.", RandomHistory.TABLES);
    return Debezium.start(database, folder, tables);
  }

  /** Lets this library read all there is, and Debezium until it has told as much. */
  private List<SourceRecord> awaitAll(Debezium debezium) throws Exception {
    long all = 0;
    for (String table : RandomHistory.TABLES) {
      ours(table).readOn();
      all += ours(table).changes().size() + Objects.requireNonNull(snapshots.get(table)).size();
    }
    long expected = all;
    return debezium.await(events -> DebeziumEvents.of(told(events)).size() >= expected);
  }

  /** With what was told before the restart. */
  private List<SourceRecord> told(List<SourceRecord> events) {
    List<SourceRecord> told = new ArrayList<>(earlier);
    told.addAll(events);
    return told;
  }

  private OurRows ours(String table) {
    return Objects.requireNonNull(ours.get(table));
  }

  private static List<Change> ofTable(List<Change> all, String table) {
    return all.stream().filter(change -> change.table().equals(table)).toList();
  }

  private static List<Change> changes(List<Change> all) {
    return all.stream().filter(change -> !isSnapshotRow(change)).toList();
  }

  private static boolean isSnapshotRow(Change change) {
    return change.operation().equals(SNAPSHOT_ROW);
  }

  /** One by one, so that a failure shows the first difference. */
  private static void assertSame(List<Change> theirs, List<Change> ours) {
    for (int i = 0; i < Math.min(theirs.size(), ours.size()); i++) {
      Change our = ours.get(i);
      assertThat(our).describedAs("Change %s", i).isEqualTo(theirs.get(i).asUnknownAs(our));
    }
    assertThat(ours).hasSameSizeAs(theirs).hasSizeGreaterThan(100);
  }

  private TreeSet<String> commits() {
    TreeSet<String> commits = new TreeSet<>();
    ours.values().forEach(rows -> rows.changes().forEach(change -> commits.add(change.commit())));
    return commits;
  }
}
