package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.backfill.SimulatedLake.ChunkRow;
import io.github.mssqlcdc.chunk.SnapshotKey;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BackfillListener;
import io.github.mssqlcdc.metric.BackfillStatus;
import io.github.mssqlcdc.metric.ChunkLedger;
import io.github.mssqlcdc.metric.ChunkMeasure;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.Extent;
import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.snapshot.Purpose;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import io.github.mssqlcdc.type.SqlType;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/** A table that is written to while backfills of it come and die, and the stream's changes. */
final class SimulatedBackfill {
  static final String APP_ID = "orders-v1";
  private static final int KEYS = 40;

  private final Random random;
  private final FakeSqlServer server = new FakeSqlServer();
  private final CaptureInstance instance;
  final SimulatedLake lake;

  /** Every commit after S, as the stream brings it; a null name is a delete. */
  private final List<Change> changes = new ArrayList<>();

  private record Change(Lsn lsn, int id, @Nullable String name) {}

  /** What a dead process throws. */
  static final class Death extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Death() {
      super("The process is dead");
    }
  }

  SimulatedBackfill(long seed) {
    random = new Random(seed);
    for (int id = 0; id < KEYS; id++) {
      if (random.nextInt(3) > 0) {
        server.insert(id * (1 + random.nextInt(3)) + id);
      }
    }
    server.insert(-5, 500);
    instance = server.captureInstance("dbo_orders");
    Offset position = Offset.of(server.snapshotStamp(instance).lsn());
    Extent extent = source(null).plan().extent(0, position, 0, null);
    lake =
        new SimulatedLake(
            new SnapshotOpen(
                0,
                SnapshotMode.CHUNKED,
                Purpose.BOOTSTRAP,
                position,
                0,
                extent.keys(),
                "bronze",
                null,
                null),
            extent);
  }

  /** A call that lives for so many steps; writers are at work between them. */
  BackfillStatus call(int steps, int connections, String attempt, BackfillListener listener) {
    AtomicInteger left = new AtomicInteger(steps);
    Reading reading = new Reading();
    SimulatedLake.Life life =
        () -> {
          if (left.getAndDecrement() <= 0) {
            throw new Death();
          }
          write();
        };
    return new Backfill(
            source(reading),
            () -> lake.store(life, reading::rows),
            new BackfillLimits(3, connections, Duration.ZERO, null, null, null),
            listener,
            APP_ID,
            attempt)
        .run();
  }

  private BackfillSource source(@Nullable Reading reading) {
    return new BackfillSource(
        server,
        server.captureInstance("dbo_orders"),
        new SnapshotKey(List.of(new KeyColumn("id", new SqlType("int", 0, 0, 0), null)), null),
        (stamp, maxLsn, chunks, connections, ledgerId) -> {
          if (reading != null) {
            reading.begin(stamp, chunks, ledgerId);
          }
          return none();
        },
        position -> {},
        position -> Optional.empty(),
        Clock.systemUTC());
  }

  /** The simulated lake takes its rows from the reading. */
  @SuppressWarnings("NullAway")
  private static Dataset<Row> none() {
    return null;
  }

  private synchronized void write() {
    int id = random.nextInt(600) - 20;
    switch (random.nextInt(4)) {
      case 0 -> changes.add(new Change(server.delete(id), id, null));
      case 1 -> {
        String name = "v" + random.nextInt();
        changes.add(new Change(server.put(id, name), id, name));
      }
      default -> server.idle();
    }
  }

  Map<Integer, String> table() {
    return server.rows();
  }

  /** Rows of the snapshot and every change after S: the latest of each key. */
  Map<Integer, String> rebuilt() {
    Map<Integer, String> state = new TreeMap<>();
    lake.rows().forEach(row -> state.put(row.id(), row.name()));
    for (Change change : changes) {
      if (change.name() == null) {
        state.remove(change.id());
      } else {
        state.put(change.id(), change.name());
      }
    }
    return state;
  }

  /** Reads the chunks of a wave, one after the other, while the table changes. */
  private final class Reading {
    private Offset stamp = lakeStart();
    private List<ChunkBounds> chunks = List.of();
    private String ledgerId = "";

    private static Offset lakeStart() {
      return Offset.of(Lsn.ZERO);
    }

    void begin(Offset at, List<ChunkBounds> of, String ledger) {
      stamp = at;
      chunks = of;
      ledgerId = ledger;
    }

    List<ChunkRow> rows() {
      ChunkLedger ledger = JvmRegistry.find(ChunkLedger.class, ledgerId).orElseThrow();
      List<ChunkRow> rows = new ArrayList<>();
      for (ChunkBounds chunk : chunks) {
        write();
        int before = rows.size();
        server
            .rows()
            .forEach(
                (id, name) -> {
                  if (holds(chunk, id)) {
                    rows.add(new ChunkRow(chunk.chunk(), stamp.lsn(), id, name));
                  }
                });
        int count = rows.size() - before;
        ledger.reported(new ChunkMeasure(chunk.chunk(), count, count * 8L, 0.1, "0x00"));
      }
      return rows;
    }

    private boolean holds(ChunkBounds chunk, int id) {
      return (chunk.lo().equals(ChunkBounds.OPEN) || id >= Long.parseLong(chunk.lo()))
          && (chunk.hi().equals(ChunkBounds.OPEN) || id < Long.parseLong(chunk.hi()));
    }
  }
}
