package io.github.mssqlcdc.delta.table;

import io.github.mssqlcdc.delta.table.Append.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.delta.DeltaOperations;
import org.apache.spark.sql.delta.DeltaOptions;
import org.apache.spark.sql.delta.OptimisticTransaction;
import org.apache.spark.sql.delta.Snapshot;
import org.apache.spark.sql.delta.commands.WriteIntoDelta;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Delta's own append, but for its look-up of the transaction id, which costs a Spark job over the
 * state of the whole table per batch: here {@link Transactions} has done it. Delta's conflict check
 * still sees to it that of two writers with the same id one fails.
 */
final class TransactionAppend {
  private final DeltaLog log;
  private final Snapshot snapshot;

  /**
   * @param snapshot the one in which the append's transaction id was looked for
   */
  TransactionAppend(DeltaLog log, Snapshot snapshot) {
    this.log = log;
    this.snapshot = snapshot;
  }

  Outcome run(Dataset<Row> rows, Append append) {
    return log.withNewTransaction(
        Option.empty(), Option.apply(snapshot), transaction -> run(transaction, rows, append));
  }

  private Outcome run(OptimisticTransaction transaction, Dataset<Row> rows, Append append) {
    // the same as asking the transaction itself: a commit with this id in between is a conflict
    transaction.readTxn().addOne(append.id().appId());
    SparkSession session = rows.sparkSession();
    var written =
        write(session, rows, append)
            .writeAndReturnCommitData(transaction, session, Option.empty(), false);
    if (!append.commit().getAsBoolean()) {
      return new Outcome.GivenUp();
    }
    Option<Object> version =
        transaction.commitIfNeeded(written.actions(), operation(append), written.stringTags());
    return new Outcome.Committed((Long) version.get());
  }

  private WriteIntoDelta write(SparkSession session, Dataset<Row> rows, Append append) {
    DeltaOptions options =
        new DeltaOptions(
            immutable(options(append.id(), null)),
            ((org.apache.spark.sql.classic.SparkSession) session).sessionState().conf());
    Seq<String> noPartitioning = CollectionConverters.asScala(List.<String>of()).toSeq();
    return new WriteIntoDelta(
        log,
        SaveMode.Append,
        options,
        noPartitioning,
        immutable(Map.of()),
        rows,
        Option.empty(),
        Option.empty(),
        false);
  }

  private static DeltaOperations.Operation operation(Append append) {
    return new DeltaOperations.Write(
        SaveMode.Append,
        Option.empty(),
        Option.empty(),
        Option.apply(append.note().get()),
        Option.empty(),
        Option.empty(),
        Option.apply(true),
        Option.empty(),
        Option.empty());
  }

  /**
   * The options of Delta's writer for an append.
   *
   * @param note null: what its commit says comes by another way
   */
  static Map<String, String> options(TransactionId id, @Nullable String note) {
    Map<String, String> options = new HashMap<>();
    options.put("txnAppId", id.appId());
    options.put("txnVersion", String.valueOf(id.version()));
    options.put("mergeSchema", "true");
    // its shuffle, once retried, would read the source a second time
    options.put("optimizeWrite", "false");
    if (note != null) {
      options.put("userMetadata", note);
    }
    return options;
  }

  private static scala.collection.immutable.Map<String, String> immutable(Map<String, String> map) {
    return scala.collection.immutable.Map$.MODULE$.from(CollectionConverters.asScala(map));
  }
}
