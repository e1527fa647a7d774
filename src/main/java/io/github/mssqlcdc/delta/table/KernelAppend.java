package io.github.mssqlcdc.delta.table;

import io.delta.kernel.DataWriteContext;
import io.delta.kernel.Operation;
import io.delta.kernel.Snapshot;
import io.delta.kernel.TableManager;
import io.delta.kernel.Transaction;
import io.delta.kernel.TransactionCommitResult;
import io.delta.kernel.data.ColumnarBatch;
import io.delta.kernel.data.FilteredColumnarBatch;
import io.delta.kernel.defaults.internal.data.DefaultColumnarBatch;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.exceptions.ConcurrentTransactionException;
import io.delta.kernel.hook.PostCommitHook;
import io.delta.kernel.hook.PostCommitHook.PostCommitHookType;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.transaction.UpdateTableTransactionBuilder;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterable;
import io.delta.kernel.utils.CloseableIterator;
import io.github.mssqlcdc.delta.table.Append.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends a few rows with Delta Kernel: a Parquet file and a commit, no Spark job. It begins where
 * its own last commit left the table, as long as the log has that commit; what others commit in
 * between is for Kernel's conflict check. Not thread-safe.
 */
final class KernelAppend {
  private static final Logger LOG = LoggerFactory.getLogger(KernelAppend.class);
  private static final String ENGINE = "mssql-cdc-spark";

  /** Not 200, as Kernel would, at once: it repeats a write to a disk that is full, too. */
  private static final int COMMITS = 20;

  private final Engine engine;
  private final String path;
  private final CommitLog commits;
  private @Nullable Snapshot left;

  KernelAppend(Engine engine, String path, CommitLog commits) {
    this.engine = engine;
    this.path = path;
    this.commits = commits;
  }

  /**
   * @param rows of {@code schema}, whose columns are in any order; what the table has beside is
   *     null
   * @param id null: the rows are appended each time
   * @param check throws if the table, which has columns of these names, can't take the rows
   * @throws ConcurrentTransactionException if another write with this application id came first,
   *     whichever its version
   */
  Outcome run(
      List<Row> rows,
      org.apache.spark.sql.types.StructType schema,
      @Nullable TransactionId id,
      Consumer<Set<String>> check)
      throws IOException {
    UpdateTableTransactionBuilder builder =
        newest().buildUpdateTableTransaction(ENGINE, Operation.WRITE).withMaxRetries(COMMITS);
    if (id != null) {
      builder = builder.withTransactionId(id.appId(), id.version());
    }
    Transaction transaction = builder.build(engine);
    check.accept(Set.copyOf(transaction.getSchema(engine).fieldNames()));
    TransactionCommitResult result =
        transaction.commit(
            engine, CloseableIterable.inMemoryIterable(write(transaction, rows, schema)));
    List<PostCommitHook> checkpoints =
        result.getPostCommitHooks().stream()
            .filter(hook -> hook.getType() == PostCommitHookType.CHECKPOINT)
            .toList();
    checkpoints.forEach(this::checkpoint);
    // of its own a snapshot never learns of a checkpoint, and would read ever more commits
    left = checkpoints.isEmpty() ? result.getPostCommitSnapshot().orElse(null) : null;
    return new Outcome.Committed(result.getVersion());
  }

  /** Whatever fails from here on, the next attempt looks at the log. */
  private Snapshot newest() {
    Snapshot snapshot = left;
    left = null;
    return snapshot != null && commits.has(snapshot.getVersion())
        ? snapshot
        : TableManager.loadSnapshot(path).build(engine);
  }

  private CloseableIterator<io.delta.kernel.data.Row> write(
      Transaction transaction, List<Row> rows, org.apache.spark.sql.types.StructType given)
      throws IOException {
    io.delta.kernel.data.Row state = transaction.getTransactionState(engine);
    StructType schema = transaction.getSchema(engine);
    ColumnarBatch batch =
        new DefaultColumnarBatch(
            rows.size(),
            schema,
            schema.fields().stream()
                .map(field -> RowsVector.of(rows, given, field))
                .toArray(RowsVector[]::new));
    CloseableIterator<FilteredColumnarBatch> data =
        Transaction.transformLogicalData(
            engine,
            state,
            Utils.singletonCloseableIterator(new FilteredColumnarBatch(batch, Optional.empty())),
            Map.of());
    DataWriteContext context = Transaction.getWriteContext(engine, state, Map.of());
    return Transaction.generateAppendActions(
        engine,
        state,
        engine
            .getParquetHandler()
            .writeParquetFiles(context.getTargetDirectory(), data, context.getStatisticsColumns()),
        context);
  }

  /** The next commit is right without a checkpoint, only slower. */
  private void checkpoint(PostCommitHook hook) {
    try {
      hook.threadSafeInvoke(engine);
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("{}: the checkpoint of its log failed; it is tried again later", path, e);
    }
  }
}
