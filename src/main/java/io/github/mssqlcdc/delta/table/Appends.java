package io.github.mssqlcdc.delta.table;

import io.delta.kernel.exceptions.ConcurrentTransactionException;
import io.delta.kernel.exceptions.ConcurrentWriteException;
import io.delta.kernel.exceptions.KernelException;
import io.delta.kernel.exceptions.MaxCommitRetryLimitReachedException;
import io.github.mssqlcdc.delta.table.Append.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How appends reach a table: by Delta's inside, and by its public writer from then on where that
 * can't be. Each retries conflicts with other writers. Not thread-safe.
 */
final class Appends {
  private static final Logger LOG = LoggerFactory.getLogger(Appends.class);

  private final SparkSession spark;
  private final LakeTable table;
  private Door rowsThrough;
  private Door fewRowsThrough;

  /** A way into Delta. */
  enum Door {
    INSIDE,
    PUBLIC
  }

  /**
   * @param through the way at first
   */
  Appends(SparkSession spark, LakeTable table, Door through) {
    this.spark = spark;
    this.table = table;
    this.rowsThrough = through;
    this.fewRowsThrough = through;
  }

  /** Rows of a frame, which is read again after a conflict. */
  Outcome append(Dataset<Row> rows, Append append) {
    return ConflictRetry.run(table.ref(), () -> appendOnce(rows, append));
  }

  /**
   * All that an attempt decides rests on one look at the log, which is where its transaction
   * begins: what another writer commits from then on is for Delta's conflict check.
   */
  private Outcome appendOnce(Dataset<Row> rows, Append append) {
    OpenTable open = table.open();
    open.hold();
    try {
      OptionalLong latest = table.latestTransaction(append.id().appId());
      if (latest.isPresent() && latest.getAsLong() >= append.id().version()) {
        return new Outcome.Skipped(latest.getAsLong());
      }
      append.before().accept(latest);
      if (rowsThrough == Door.INSIDE && !open.isCatalogManaged()) {
        return new TransactionAppend(open.log(), open.snapshot()).run(rows, append);
      }
    } catch (LinkageError e) {
      LOG.warn(
          "{}: this Delta release is written to through its public writer, slower", table.ref(), e);
    } finally {
      open.release();
    }
    rowsThrough = Door.PUBLIC;
    return new WriterAppend(table.ref(), () -> open.snapshot().version(), open.commits()::read)
        .run(rows, append);
  }

  /** A few rows that are in memory, once. */
  Outcome append(List<Row> rows, StructType schema, TransactionId id) {
    return throughKernel(rows, schema, id)
        .orElseGet(() -> append(frame(rows, schema), Append.of(id, null)));
  }

  /** The same without a transaction id: each call appends. */
  void append(List<Row> rows, StructType schema) {
    if (throughKernel(rows, schema, null).isEmpty()) {
      WriterAppend.write(table.ref(), frame(rows, schema).write().format("delta").mode("append"));
    }
  }

  /** Kernel would leave the values of such a column out, Spark would make one. */
  private void requireColumns(Set<String> there, StructType rows) {
    for (String name : rows.fieldNames()) {
      if (!there.contains(name)) {
        throw new IllegalArgumentException(
            "Cannot append to '" + table.ref() + "': it has no column '" + name + "'");
      }
    }
  }

  private Dataset<Row> frame(List<Row> rows, StructType schema) {
    requireColumns(Set.of(table.schema().fieldNames()), schema);
    return RowChanges.frame(spark, rows, schema);
  }

  /** Empty if the table isn't one that Kernel can write to. */
  private Optional<Outcome> throughKernel(
      List<Row> rows, StructType schema, @Nullable TransactionId id) {
    if (fewRowsThrough == Door.INSIDE && !table.open().isCatalogManaged()) {
      try {
        return Optional.of(ConflictRetry.run(table.ref(), () -> kernelOnce(rows, schema, id)));
      } catch (ConcurrentWriteException | MaxCommitRetryLimitReachedException e) {
        throw e;
      } catch (KernelException | UnsupportedOperationException e) {
        LOG.warn(
            "{}: written to through Spark jobs from now on: Delta Kernel can't", table.ref(), e);
      } catch (IOException e) {
        throw new UncheckedIOException("Failed to append to " + table.ref(), e);
      }
    }
    fewRowsThrough = Door.PUBLIC;
    return Optional.empty();
  }

  private Outcome kernelOnce(List<Row> rows, StructType schema, @Nullable TransactionId id)
      throws IOException {
    try {
      return table.open().kernel().run(rows, schema, id, there -> requireColumns(there, schema));
    } catch (ConcurrentTransactionException e) {
      // a lower version in between is no reason to leave this one out
      OptionalLong latest = id == null ? OptionalLong.empty() : table.latestTransaction(id.appId());
      if (id == null || latest.isEmpty() || latest.getAsLong() < id.version()) {
        throw e;
      }
      return new Outcome.Skipped(latest.getAsLong());
    }
  }
}
