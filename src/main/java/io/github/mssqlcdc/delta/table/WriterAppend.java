package io.github.mssqlcdc.delta.table;

import io.github.mssqlcdc.delta.table.Append.Outcome;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The append of Delta's public writer: for tables that a catalog commits to, and for Delta releases
 * whose inside {@link TransactionAppend} doesn't fit. Asks for the commit only after it, and sees a
 * writer that came in between only then.
 */
final class WriterAppend {
  private static final Logger LOG = LoggerFactory.getLogger(WriterAppend.class);

  private final DeltaTableRef table;
  private final LongSupplier version;
  private final Function<Long, Optional<Commit>> commits;

  /**
   * @param version the table's newest version
   * @param commits reads a commit
   */
  WriterAppend(
      DeltaTableRef table, LongSupplier version, Function<Long, Optional<Commit>> commits) {
    this.table = table;
    this.version = version;
    this.commits = commits;
  }

  Outcome run(Dataset<Row> rows, Append append) {
    long before = version.getAsLong();
    String note = append.note().get();
    DataFrameWriter<Row> writer =
        rows.write()
            .format("delta")
            .mode("append")
            .options(TransactionAppend.options(append.id(), note));
    write(table, writer);
    if (!append.commit().getAsBoolean()) {
      LOG.info("{}: the rows of {} are committed already and stay", table, append.id());
    }
    return LongStream.rangeClosed(before + 1, version.getAsLong())
        .mapToObj(commits::apply)
        .flatMap(Optional::stream)
        .filter(commit -> isOwn(commit, append.id(), note))
        .findFirst()
        .<Outcome>map(commit -> new Outcome.Committed(commit.version()))
        .orElseGet(() -> new Outcome.Skipped(append.id().version()));
  }

  /** Another writer may have been first under the same id, with something else. */
  private static boolean isOwn(Commit commit, TransactionId id, @Nullable String note) {
    return commit.carries(id) && Objects.equals(commit.userMetadata(), note);
  }

  static void write(DeltaTableRef table, DataFrameWriter<Row> writer) {
    if (table.isPath()) {
      writer.save(table.text());
    } else {
      writer.saveAsTable(table.text());
    }
  }
}
