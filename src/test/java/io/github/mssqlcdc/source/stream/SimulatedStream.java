package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.metric.SkippedChanges;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.testkit.history.Change;
import io.github.mssqlcdc.testkit.history.FollowedTable;
import io.github.mssqlcdc.testkit.history.FollowedTable.Fact;
import io.github.mssqlcdc.testkit.history.Step.Cap;
import io.github.mssqlcdc.testkit.history.Step.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A table's stream over its whole life, with what outlives its processes: Spark's two logs, bronze
 * and the facts. They are simulated, source and planner aren't.
 */
final class SimulatedStream {
  private final SimulatedDatabase.Table table;
  private final String failOnDataLoss;
  private final @Nullable Offset snapshot;
  private final List<Offset> offsets = new ArrayList<>();
  private final MemoryStartLog startLog = new MemoryStartLog();
  private int committed;
  private @Nullable Lsn begin;
  private final NavigableMap<Long, List<Change>> bronze = new TreeMap<>();
  private final NavigableMap<Long, Fact> facts = new TreeMap<>();
  private final List<SkippedChanges> gaps = new ArrayList<>();
  private boolean isLost;
  private Runnable steps = () -> {};

  /** The process is dead. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * @param snapshot where a snapshot stands that the stream begins with; null: none
   */
  SimulatedStream(
      SimulatedDatabase.Table table, boolean failOnDataLoss, @Nullable Offset snapshot) {
    this.table = table;
    this.failOnDataLoss = String.valueOf(failOnDataLoss);
    this.snapshot = snapshot;
    if (snapshot != null) {
      ChangePosition position = new ChangePosition(snapshot.lsn(), null, Lsn.ZERO, 0);
      List<Change> rows = new ArrayList<>();
      table.source.rows().forEach((id, name) -> rows.add(new Change(position, id, name)));
      bronze.put(-1L, rows);
    }
  }

  /** Up to where the stream's own changes aren't needed any more, however it dies. */
  Lsn safe() {
    Long latest = bronze.isEmpty() ? null : bronze.lastKey();
    if (latest != null && latest >= committed) {
      return offsets.get(latest.intValue()).lsn();
    }
    return committed == 0 ? Lsn.ZERO : offsets.get(committed - 1).lsn();
  }

  FollowedTable left() {
    return new FollowedTable(begin == null ? Lsn.ZERO : begin, bronze, List.copyOf(facts.values()));
  }

  /** Where it stands; where it stood, for one whose changes were lost. */
  Lsn position() {
    return isLost ? facts.lastEntry().getValue().end() : offsets.get(offsets.size() - 1).lsn();
  }

  boolean isLost() {
    return isLost;
  }

  @Override
  public String toString() {
    return "facts " + facts.values() + ", gaps " + gaps + (isLost ? ", lost" : "");
  }

  boolean mayMiss(Lsn lsn) {
    return isLost && lsn.isAfter(facts.isEmpty() ? Lsn.ZERO : position())
        || gaps.stream().anyMatch(gap -> !lsn.isBefore(gap.from()) && lsn.isBefore(gap.to()));
  }

  /**
   * A process of the stream.
   *
   * @param step called between its steps; may end it by a {@link Crash}
   */
  void run(Run run, Runnable step) {
    if (isLost) {
      return;
    }
    steps = step;
    table.server.beforeRead(step);
    table.server.beforeTail(step);
    try {
      run(new DirectStream(table.server, options(run), startLog));
    } catch (Crash e) {
      // as a process does; the next one goes on
    } finally {
      table.server.beforeRead(() -> {});
      table.server.beforeTail(() -> {});
    }
  }

  private StreamOptions options(Run run) {
    Cap cap = run.cap();
    return DirectStream.parse(
        Map.of("url", "jdbc:sqlserver://x;databaseName=x", "captureInstance", "dbo_orders"),
        "failOnDataLoss",
        failOnDataLoss,
        "numPartitions",
        String.valueOf(run.partitions()),
        "maxCommitsPerBatch",
        cap.kind() == Cap.Kind.COMMITS ? String.valueOf(cap.count()) : "",
        "maxRowsPerBatch",
        cap.kind() == Cap.Kind.ROWS ? String.valueOf(cap.count()) : "");
  }

  private void run(DirectStream stream) {
    Long latest = bronze.isEmpty() ? null : bronze.lastKey();
    if (latest != null && latest >= 0) {
      stream.ledger.heldThrough(offsets.get(latest.intValue()).lsn());
    }
    stream.ends.fixTarget();
    steps.run();
    Offset start = start(stream);
    if (offsets.size() > committed) {
      batch(stream, start);
      start = start(stream);
    }
    Offset end = stream.next(start);
    while (!end.equals(start)) {
      steps.run();
      offsets.add(end);
      startLog.plan();
      batch(stream, start);
      start = end;
      end = stream.next(start);
    }
  }

  /** Spark asks for the initial offset until a batch is committed. */
  private Offset start(DirectStream stream) {
    if (committed > 0) {
      return offsets.get(committed - 1);
    }
    Offset initial = snapshot == null ? stream.begin() : snapshot;
    begin = initial.lsn();
    return initial;
  }

  private void batch(DirectStream stream, Offset start) {
    long id = committed;
    Offset end = offsets.get(committed);
    List<Change> rows = new ArrayList<>();
    try {
      steps.run();
      List<RangePartition> ranges = stream.plan(start, end);
      steps.run();
      StructType schema = stream.schema();
      stream.read(ranges, row -> rows.add(change(schema, row)));
    } catch (DataLossException e) {
      assertThat(failOnDataLoss).isEqualTo("true");
      assertThat(table.minLsn()).isGreaterThan(start.lsn().next());
      isLost = true;
      throw new Crash();
    }
    steps.run();
    BatchLedger.Batch planned = Objects.requireNonNull(stream.ledger.current());
    RangeMeasure total = planned.measure().total();
    if (!bronze.containsKey(id) && !rows.isEmpty()) {
      assertThat(total).extracting(RangeMeasure::rows).isEqualTo((long) rows.size());
      bronze.put(id, rows);
      steps.run();
    } else if (bronze.containsKey(id)) {
      assertThat(rows).as("what bronze holds isn't read again").isEmpty();
    }
    if (!facts.containsKey(id)) {
      facts.put(id, new Fact(id, bronze.getOrDefault(id, List.of()).size(), end.lsn()));
      gaps.addAll(planned.skips());
    }
    steps.run();
    committed++;
    steps.run();
  }

  private static Change change(StructType schema, InternalRow row) {
    Lsn commit = Lsn.parse(text(schema, row, "_start_lsn"));
    return new Change(
        new ChangePosition(
            commit,
            row.getInt(schema.fieldIndex("_command_id")),
            Lsn.parse(text(schema, row, "_seqval")),
            row.getInt(schema.fieldIndex("_operation"))),
        row.getInt(schema.fieldIndex("id")),
        text(schema, row, "name"));
  }

  private static String text(StructType schema, InternalRow row, String column) {
    return row.getUTF8String(schema.fieldIndex(column)).toString();
  }
}
