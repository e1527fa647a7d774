package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.SourceEvent;
import io.github.mssqlcdc.metric.SourceEvent.ColumnGap;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.snapshot.Generation;
import io.github.mssqlcdc.snapshot.SnapshotState;
import io.github.mssqlcdc.source.stream.Lake.Checkpoint;
import io.github.mssqlcdc.source.stream.Lake.Commit;
import io.github.mssqlcdc.source.stream.Lake.Image;
import io.github.mssqlcdc.source.stream.Lake.Read;
import io.github.mssqlcdc.testkit.history.Life;
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
 * A process of a stream that begins with a snapshot and takes new ones after losses and switches,
 * as the facade does. Source, planner, the look for losses and what the facts say of snapshots are
 * the library's own; writes are simulated. It may die between any two, and another process may do
 * the same work in between.
 */
final class RecoveringStream {
  private final Lake lake;
  private final SimulatedTable table;
  private final SimulatedSnapshots snapshots;
  private final SimulatedChunks chunks;
  private final boolean snapshotOnSwitch;

  /** The process is dead. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * A restore ends it, as it ends all connections, if it would have to know what others have read
   * since it began.
   *
   * @param step called between its steps; may throw a {@link Crash}
   */
  RecoveringStream(Lake lake, ChangingDatabase database, Life life, Runnable step) {
    ChangingServer server = new ChangingServer(database);
    int restores = database.restores();
    long reads = lake.reads();
    Runnable mortal =
        () -> {
          step.run();
          if (database.restores() > restores && lake.reads() > reads) {
            throw new Crash();
          }
        };
    server.beforeRead(mortal);
    this.lake = lake;
    this.table = new SimulatedTable(lake, database, server, mortal);
    this.snapshots = new SimulatedSnapshots(table, life.mode());
    this.chunks = new SimulatedChunks(table);
    this.snapshotOnSwitch = life.snapshotOnSwitch();
  }

  /**
   * Follows the table, up to what is captured when it begins.
   *
   * @param commits of a batch at most
   */
  void run(int commits) {
    SimulatedSnapshots.Begun begun = snapshots.started();
    if (snapshotOnSwitch) {
      table.requireSamePast();
      snapshots.fillColumns();
    }
    table.step().run();
    new Query(begun.live(), begun.start(), commits).run();
  }

  /** A call of backfill: reads the chunks that are still to be read. */
  void backfill() {
    chunks.read();
  }

  /** What Spark does with one generation's logs. */
  private final class Query {
    private final Generation live;
    private final Offset begin;
    private final Checkpoint checkpoint;
    private final DirectStream stream;
    private final int held;
    private final int history;

    Query(Generation live, Offset begin, int commits) {
      this.live = live;
      this.begin = begin;
      this.checkpoint = lake.checkpoint(live.number());
      this.stream =
          new DirectStream(
              table.server(),
              DirectStream.parse(
                  Map.of(
                      "url",
                      "jdbc:sqlserver://x;databaseName=x",
                      "captureInstance",
                      ChangingServer.INSTANCE),
                  "maxCommitsPerBatch",
                  Integer.toString(commits),
                  "_seenOffset",
                  lake.highestInBronze().orElse(begin).json()),
              checkpoint.startLog);
      this.history = Math.max(lake.highestHistory(), live.history());
      this.held = lake.newest(Lake.batches(live.number()));
      int told = lake.newest(Lake.facts(live.number()));
      if (held >= 0) {
        stream.ledger.heldThrough(checkpoint.offsets.get(held).lsn());
      }
      if (told > held) {
        stream.ledger.toldThrough(() -> checkpoint.offsets.get(told).lsn());
      }
    }

    void run() {
      stream.ends.fixTarget();
      table.step().run();
      int batch = checkpoint.committed();
      boolean isPlanned = batch < checkpoint.offsets.size();
      Offset start = batch == 0 ? begin() : checkpoint.offsets.get(batch - 1);
      if (isPlanned) {
        Offset end = checkpoint.offsets.get(batch);
        work(batch, start, end);
        start = end;
        batch++;
      }
      Offset end = stream.next(start);
      while (!end.equals(start)) {
        table.step().run();
        requireOwn(checkpoint.plan(batch, end), batch);
        work(batch, start, end);
        start = end;
        batch++;
        end = stream.next(start);
      }
    }

    /** Where it began, once a batch is planned. */
    private Offset begin() {
      return checkpoint
          .startLog
          .ofPlanned()
          .orElseGet(
              () -> {
                checkpoint.startLog.keep(begin);
                return begin;
              });
    }

    /** Of two that add a batch to a log, Spark ends one. */
    private void requireOwn(boolean isOwn, int batch) {
      if (!isOwn) {
        throw SimulatedTable.conflict("the log has batch " + batch + " already");
      }
    }

    private void work(int batch, Offset start, Offset end) {
      table.step().run();
      List<RangePartition> ranges = stream.plan(start, end);
      if (batch <= held) {
        assertThat(ranges).as("what bronze holds isn't read again").isEmpty();
      }
      table.step().run();
      boolean isThere = ranges.isEmpty() ? isInBronze(batch) : !append(batch, ranges, end);
      List<SourceEvent> events = events();
      if (isThere && events.isEmpty() && lake.newest(Lake.facts(live.number())) < batch) {
        events = lake.events(Lake.batches(live.number()), batch);
      }
      if (lake.once(Lake.facts(live.number()), batch)) {
        tell(events);
      }
      table.step().run();
      if (snapshotOnSwitch && events.stream().anyMatch(ColumnGap.class::isInstance)) {
        snapshots.fillColumns();
      }
      requireOwn(checkpoint.commit(batch), batch);
      table.step().run();
    }

    private boolean isInBronze(int batch) {
      return lake.newest(Lake.batches(live.number())) >= batch;
    }

    private List<SourceEvent> events() {
      BatchLedger.Batch planned = Objects.requireNonNull(stream.ledger.current());
      return List.copyOf(planned.events());
    }

    /** Whether bronze doesn't have the batch from another attempt. */
    private boolean append(int batch, List<RangePartition> ranges, Offset end) {
      return table.append(
          new Commit(Lake.batches(live.number()), batch, history, end, false, events(), null),
          () -> {
            List<Image> rows = new ArrayList<>();
            stream.read(ranges, row -> rows.add(image(history, stream.schema(), row)));
            return new Read(rows, null);
          });
    }

    private void tell(List<SourceEvent> events) {
      for (var event : events) {
        if (event instanceof ColumnGap gap) {
          lake.gaps.add(new SnapshotState.Gap(live.number(), gap.lsn()));
          lake.told.computeIfAbsent(live.number(), number -> new ArrayList<>()).add(gap);
        }
      }
    }
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
