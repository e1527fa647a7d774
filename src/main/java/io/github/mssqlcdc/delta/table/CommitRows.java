package io.github.mssqlcdc.delta.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
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
 * The rows of commits, read from the very files that they added, whatever compaction and deletes
 * have made of them since. By Delta's internals, as {@link TransactionAppend} writes them.
 */
final class CommitRows {
  private final DeltaLog log;
  private final CommitLog commits;

  CommitRows(DeltaLog log, CommitLog commits) {
    this.log = log;
    this.commits = commits;
  }

  /** Empty once one of the commits has left the log, or vacuum has removed one of the files. */
  Optional<Dataset<Row>> read(Snapshot table, long first, long last) {
    List<AddFile> files = new ArrayList<>();
    for (long version = first; version <= last; version++) {
      Optional<List<String>> lines = commits.added(version);
      if (lines.isEmpty()) {
        return Optional.empty();
      }
      lines.get().stream().map(CommitRows::file).filter(AddFile::dataChange).forEach(files::add);
    }
    return files.stream().allMatch(this::isThere)
        ? Optional.of(
            log.createDataFrame(
                table, CollectionConverters.asScala(files).toSeq(), false, Option.empty()))
        : Optional.empty();
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
