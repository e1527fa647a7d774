package io.github.mssqlcdc.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.bronze.BronzeTable.Appended;
import io.github.mssqlcdc.bronze.WaveRows;
import io.github.mssqlcdc.bronze.Waves.HeldChunk;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.Extent;
import io.github.mssqlcdc.plans.PlansTable.Planned;
import io.github.mssqlcdc.plans.Progress;
import io.github.mssqlcdc.plans.ReadWave;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * Where one chunked snapshot is kept: rows in bronze, entries in the plans table, events in the
 * facts. Each write happens once, whoever repeats it. Used by one thread.
 */
public interface ChunkStore {

  /**
   * Whether the snapshot is still the newest one, nobody has given it up, and the stream has gone
   * on over no gap.
   */
  boolean isLive();

  /** Up to where the stream has read; S before its first batch; empty if nobody knows. */
  Optional<Offset> streamPosition();

  /** The extent of the key at the open; empty if it was lost. */
  Optional<Extent> extent();

  boolean hasPlan();

  /** Keeps the plan; false if there is one already. */
  boolean keepPlan(Extent extent, long chunkRows, List<ChunkBounds> chunks);

  Planned plan();

  /** Planned chunks from a number on, in their order. */
  List<ChunkBounds> planned(int from, int count);

  /** Tells the facts of the plan. */
  void tellPlan(@Nullable String kind, Planned plan);

  /** The highest wave that bronze has a commit of; waves without rows have none. */
  OptionalLong newestCommitted();

  /** What the commit of a wave says; empty once the log has dropped it. */
  Optional<JsonNode> note(int wave);

  /** The chunks from a number on that have rows in bronze. */
  List<HeldChunk> heldFrom(int first);

  /** Whether the target has rows of a wave that is kept, if it had any. */
  boolean holds(int wave);

  Appended append(Dataset<Row> rows, WaveRows wave);

  /** What is done, by the newest wave kept. */
  Progress progress();

  /** The highest wave that is kept; -1 before the first. */
  long newestKept();

  /** A wave that is kept. */
  ReadWave wave(int wave);

  /** Keeps a wave that is in bronze; false if this number, or a higher one, is there already. */
  boolean keep(Progress before, ReadWave wave);

  /** The last wave that the facts were told of; -1 before the first. */
  long newestTold();

  void tell(ReadWave wave);

  /** The retention headroom, in hours, that the stream's newest batch has told; null: none. */
  @Nullable Double headroom();

  /** Tells the facts that all chunks are in bronze. */
  void complete(Progress all, ReadWave last);
}
