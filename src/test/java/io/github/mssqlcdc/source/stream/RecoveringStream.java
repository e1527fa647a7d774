package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.SourceEvent;
import io.github.mssqlcdc.metric.SourceEvent.ColumnGap;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.snapshot.Generation;
import io.github.mssqlcdc.snapshot.SnapshotState;
import io.github.mssqlcdc.source.stream.Lake.Checkpoint;
import io.github.mssqlcdc.source.stream.Lake.Commit;
import io.github.mssqlcdc.source.stream.Lake.Image;
import io.github.mssqlcdc.testkit.source.ChangingDatabase;
import io.github.mssqlcdc.testkit.source.ChangingServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A stream that begins with a snapshot and takes new ones after losses and switches, as the facade
 * does. Source, planner, the look for losses and what the facts say of snapshots are the library's
 * own; writes are simulated, and a process may die between any two.
 */
final class RecoveringStream {
  final Lake lake = new Lake();
  private final ChangingServer server;
  private final SimulatedSnapshots snapshots;
  private final boolean snapshotOnSwitch;
  private Runnable steps = () -> {};

  /** The process is dead. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  RecoveringStream(ChangingDatabase database, SnapshotMode mode, boolean snapshotOnSwitch) {
    this.server = new ChangingServer(database);
    this.snapshots = new SimulatedSnapshots(lake, database, server, mode);
    this.snapshotOnSwitch = snapshotOnSwitch;
  }

  /**
   * A process of the stream, up to what is captured when it begins.
   *
   * @param commits of a batch at most
   * @param step called between its steps; may throw a {@link Crash}
   */
  void run(int commits, Runnable step) {
    steps = step;
    server.beforeRead(step);
    try {
      Generation live = snapshots.started(step);
      if (snapshotOnSwitch) {
        snapshots.requireSamePast();
        snapshots.fillColumns();
      }
      stream(live, commits);
    } finally {
      server.beforeRead(() -> {});
    }
  }

  /** A call of backfill: reads the chunks that are still to be read. */
  void backfill(Runnable step) {
    snapshots.backfill(step);
  }

  private void stream(Generation live, int commits) {
    Checkpoint checkpoint = lake.checkpoint(live.number());
    DirectStream stream =
        new DirectStream(
            server,
            DirectStream.parse(
                Map.of(
                    "url",
                    "jdbc:sqlserver://x;databaseName=x",
                    "captureInstance",
                    ChangingServer.INSTANCE),
                "maxCommitsPerBatch",
                Integer.toString(commits)),
            checkpoint.startLog);
    int held = checkpoint.held.stream().max(Integer::compareTo).orElse(-1);
    int told = checkpoint.facts.stream().max(Integer::compareTo).orElse(-1);
    if (held >= 0) {
      stream.ledger.heldThrough(checkpoint.offsets.get(held).lsn());
    }
    if (told > held) {
      stream.ledger.toldThrough(() -> checkpoint.offsets.get(told).lsn());
    }
    int history = Math.max(lake.highestHistory(), live.history());
    stream.ends.fixTarget();
    steps.run();
    Offset start = start(checkpoint, live);
    if (checkpoint.offsets.size() > checkpoint.committed) {
      batch(stream, checkpoint, live, start, history);
      start = start(checkpoint, live);
    }
    Offset end = stream.next(start);
    while (!end.equals(start)) {
      steps.run();
      checkpoint.offsets.add(end);
      checkpoint.startLog.plan();
      batch(stream, checkpoint, live, start, history);
      start = end;
      end = stream.next(start);
    }
  }

  private static Offset start(Checkpoint checkpoint, Generation live) {
    return checkpoint.committed == 0
        ? Objects.requireNonNull(live.start())
        : checkpoint.offsets.get(checkpoint.committed - 1);
  }

  private void batch(
      DirectStream stream, Checkpoint checkpoint, Generation live, Offset start, int history) {
    int id = checkpoint.committed;
    Offset end = checkpoint.offsets.get(id);
    List<Image> rows = new ArrayList<>();
    steps.run();
    List<RangePartition> ranges = stream.plan(start, end);
    steps.run();
    stream.read(ranges, row -> rows.add(image(history, stream.schema(), row)));
    steps.run();
    BatchLedger.Batch planned = Objects.requireNonNull(stream.ledger.current());
    if (checkpoint.held.contains(id)) {
      assertThat(rows).as("what bronze holds isn't read again").isEmpty();
    } else if (!rows.isEmpty()) {
      checkpoint.held.add(id);
      checkpoint.noted.put(id, planned.events());
      snapshots.append(rows, new Commit(live.number(), history, end, false));
    }
    List<SourceEvent> events = checkpoint.noted.getOrDefault(id, planned.events());
    if (checkpoint.facts.add(id)) {
      for (var event : events) {
        if (event instanceof ColumnGap gap) {
          lake.gaps.add(new SnapshotState.Gap(live.number(), gap.lsn()));
          lake.told.computeIfAbsent(live.number(), number -> new ArrayList<>()).add(gap);
        }
      }
    }
    steps.run();
    if (snapshotOnSwitch && events.stream().anyMatch(ColumnGap.class::isInstance)) {
      snapshots.fillColumns();
    }
    checkpoint.committed++;
    steps.run();
  }

  private static Image image(int history, StructType schema, InternalRow row) {
    Map<String, @Nullable String> values = new HashMap<>();
    Set<String> unknown = new HashSet<>();
    for (int i = 0; i < schema.length(); i++) {
      StructField field = schema.fields()[i];
      if (field.name().equals("_unknown_columns")) {
        if (!row.isNullAt(i)) {
          ArrayData names = row.getArray(i);
          for (Object name : names.toObjectArray(DataTypes.StringType)) {
            unknown.add(name.toString());
          }
        }
      } else if (!field.name().startsWith("_")) {
        values.put(field.name(), row.isNullAt(i) ? null : row.get(i, field.dataType()).toString());
      }
    }
    unknown.forEach(values::remove);
    return new Image(
        history,
        new ChangePosition(
            Lsn.parse(row.getUTF8String(schema.fieldIndex("_start_lsn")).toString()),
            row.getInt(schema.fieldIndex("_command_id")),
            Lsn.parse(row.getUTF8String(schema.fieldIndex("_seqval")).toString()),
            row.getInt(schema.fieldIndex("_operation"))),
        null,
        row.getInt(schema.fieldIndex("id")),
        values,
        unknown);
  }
}
