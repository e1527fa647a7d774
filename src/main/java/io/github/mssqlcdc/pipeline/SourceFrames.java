package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.reconcile.SourceRows;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Rows and changes of a source table, by the library's own formats. The options of its own, which
 * begin with {@code _}, tell the formats that the facade is their caller.
 */
final class SourceFrames {
  private static final String CHANGES = "mssql_cdc";
  private static final String SNAPSHOT = "mssql_cdc_snapshot";
  private static final String LEDGER = "_ledger";
  private static final String STARTING_OFFSET = "_startingOffset";
  private static final String SEEN_OFFSET = "_seenOffset";
  private static final String CHUNKS = "snapshotChunks";

  private final SparkSession spark;
  private final Map<String, String> options;
  private final CaptureInstance instance;

  /**
   * @param options as given by the user
   * @param instance that they lead to
   */
  SourceFrames(SparkSession spark, Map<String, String> options, CaptureInstance instance) {
    this.spark = spark;
    this.options = options;
    this.instance = instance;
  }

  /** Names of the columns that the options read, as these spell them. */
  List<String> columns() {
    return List.of(rows(options).schema().fieldNames());
  }

  /** The schema of the changes. */
  StructType schema(String ledgerId) {
    return spark.readStream().format(CHANGES).options(with(LEDGER, ledgerId)).load().schema();
  }

  /**
   * The changes.
   *
   * @param start where a new checkpoint begins; null: where the options say
   * @param seen up to where the target has read the source; null: nothing is known
   */
  Dataset<Row> changes(
      StructType schema, String ledgerId, @Nullable Offset start, @Nullable Offset seen) {
    Map<String, String> all = with(LEDGER, ledgerId);
    if (start != null) {
      all.put(STARTING_OFFSET, start.json());
    }
    if (seen != null) {
      all.put(SEEN_OFFSET, seen.json());
    }
    return spark.readStream().format(CHANGES).schema(schema).options(all).load();
  }

  /**
   * The current rows of the table.
   *
   * @param stamp what they are stamped with
   * @param maxLsn max LSN as read with the stamp; null when the map was empty
   */
  Dataset<Row> snapshot(Offset stamp, @Nullable Lsn maxLsn) {
    return rows(stamped(stamp, maxLsn));
  }

  /**
   * The same of chunks. A task reads its chunks one after the other, so as many are read at a time
   * as there are tasks.
   */
  Dataset<Row> chunks(
      Offset stamp,
      @Nullable Lsn maxLsn,
      List<ChunkBounds> chunks,
      int connections,
      String ledgerId) {
    Map<String, String> all = stamped(stamp, maxLsn);
    all.put(LEDGER, ledgerId);
    all.put(CHUNKS, inOption(inTurn(chunks, connections)));
    return rows(all).coalesce(connections);
  }

  /**
   * Rows and changes for a comparison, which writes none of them.
   *
   * @param keys as option {@code snapshotKeys} has them
   */
  SourceRows compared(String keys) {
    return new SourceRows() {
      @Override
      public Dataset<Row> current(@Nullable List<ChunkBounds> chunks) {
        Map<String, String> all = with("snapshotKeys", keys);
        if (chunks == null) {
          return rows(all);
        }
        all.put(CHUNKS, inOption(inTurn(chunks, connections())));
        return rows(all).coalesce(connections());
      }

      @Override
      public void changes(Lsn after, Consumer<Dataset<Row>> part) {
        changesAfter(after, part);
      }
    };
  }

  /** How many chunks are read at a time. */
  int connections() {
    Integer given = StreamOptions.parse(options).source().numPartitions();
    return given == null ? spark.sparkContext().defaultParallelism() : given;
  }

  /** By a query of its own, without a checkpoint to keep: it knows of instances that take over. */
  private void changesAfter(Lsn after, Consumer<Dataset<Row>> part) {
    Map<String, String> all = with(STARTING_OFFSET, Offset.of(after).json());
    // what is gone explains no difference
    all.put("failOnDataLoss", "false");
    try {
      spark
          .readStream()
          .format(CHANGES)
          .options(all)
          .load()
          .writeStream()
          .foreachBatch((VoidFunction2<Dataset<Row>, Long>) (batch, id) -> part.accept(batch))
          .trigger(Trigger.AvailableNow())
          .start()
          .awaitTermination();
    } catch (TimeoutException | StreamingQueryException e) {
      throw new CdcException(
          ErrorCode.SOURCE_FAILED,
          "Cannot read the changes of " + instance.description() + " after " + after,
          e);
    }
  }

  private Dataset<Row> rows(Map<String, String> all) {
    return spark.read().format(SNAPSHOT).options(all).load();
  }

  private Map<String, String> stamped(Offset stamp, @Nullable Lsn maxLsn) {
    Map<String, String> all = with("_snapshotOffset", stamp.json());
    if (maxLsn != null) {
      all.put("_stampedMaxLsn", maxLsn.toString());
    }
    return all;
  }

  private Map<String, String> with(String name, String value) {
    Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(options);
    all.put(name, value);
    return all;
  }

  /** Spark joins neighbours into a task: of k tasks the first shall read chunks 0, k, 2k and on. */
  static List<ChunkBounds> inTurn(List<ChunkBounds> chunks, int connections) {
    List<ChunkBounds> ordered = new ArrayList<>();
    for (int task = 0; task < connections; task++) {
      for (int i = task; i < chunks.size(); i += connections) {
        ordered.add(chunks.get(i));
      }
    }
    return ordered;
  }

  private static String inOption(List<ChunkBounds> chunks) {
    return chunks.stream()
        .map(chunk -> "[" + chunk.chunk() + ", " + chunk.lo() + ", " + chunk.hi() + "]")
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
