package io.github.mssqlcdc.delta.table;

import io.delta.kernel.DataWriteContext;
import io.delta.kernel.Operation;
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
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Appends a few rows with Delta Kernel: a Parquet file and a commit, no Spark job. */
final class KernelAppend {
  private static final Logger LOG = LoggerFactory.getLogger(KernelAppend.class);
  private static final String ENGINE = "mssql-cdc-spark";

  private final Engine engine;
  private final String path;

  KernelAppend(Engine engine, String path) {
    this.engine = engine;
    this.path = path;
  }

  /**
   * @param rows of {@code schema}, whose columns the table has, in any order; the rest is null
   * @param id null: the rows are appended each time
   * @throws ConcurrentTransactionException if another write with this application id came first,
   *     whichever its version
   */
  Outcome run(
      List<Row> rows, org.apache.spark.sql.types.StructType schema, @Nullable TransactionId id)
      throws IOException {
    UpdateTableTransactionBuilder builder =
        TableManager.loadSnapshot(path)
            .build(engine)
            .buildUpdateTableTransaction(ENGINE, Operation.WRITE);
    if (id != null) {
      builder = builder.withTransactionId(id.appId(), id.version());
    }
    Transaction transaction = builder.build(engine);
    TransactionCommitResult result =
        transaction.commit(
            engine, CloseableIterable.inMemoryIterable(write(transaction, rows, schema)));
    result.getPostCommitHooks().stream()
        .filter(hook -> hook.getType() == PostCommitHookType.CHECKPOINT)
        .forEach(this::checkpoint);
    return new Outcome.Committed(result.getVersion());
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
