package io.github.mssqlcdc.delta.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.delta.Snapshot;
import org.apache.spark.sql.delta.actions.Action$;
import org.apache.spark.sql.delta.actions.AddFile;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The rows of one commit, read from the very files that it added, whatever compaction and deletes
 * have made of them since. By Delta's internals, as {@link TransactionAppend} writes them.
 */
final class CommitRows {
  private final DeltaLog log;
  private final CommitLog commits;

  CommitRows(DeltaLog log, CommitLog commits) {
    this.log = log;
    this.commits = commits;
  }

  /** Empty once the commit has left the log, or vacuum has removed one of its files. */
  Optional<Dataset<Row>> read(Snapshot table, long version) {
    return commits
        .added(version)
        .map(lines -> lines.stream().map(CommitRows::file).toList())
        .filter(files -> files.stream().allMatch(this::isThere))
        .map(
            files ->
                log.createDataFrame(
                    table, CollectionConverters.asScala(files).toSeq(), false, Option.empty()));
  }

  private static AddFile file(String line) {
    return (AddFile) Action$.MODULE$.fromJson(line);
  }

  private boolean isThere(AddFile file) {
    Path path = file.absolutePath(log);
    try {
      return path.getFileSystem(log.newDeltaHadoopConf()).exists(path);
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to look for " + path, e);
    }
  }
}
