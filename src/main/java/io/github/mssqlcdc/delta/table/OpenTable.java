package io.github.mssqlcdc.delta.table;

import io.delta.kernel.defaults.engine.DefaultEngine;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.delta.Snapshot;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** The log of a table that was found, and what is read and written by it. Not thread-safe. */
final class OpenTable {
  private final DeltaLog log;
  private final CommitLog commits;
  private final Transactions transactions;
  private @Nullable KernelAppend kernel;
  private @Nullable Snapshot held;

  OpenTable(DeltaLog log) {
    this.log = log;
    this.commits = new CommitLog(log.logPath(), log.newDeltaHadoopConf());
    this.transactions = new Transactions(commits);
  }

  DeltaLog log() {
    return log;
  }

  CommitLog commits() {
    return commits;
  }

  Transactions transactions() {
    return transactions;
  }

  /** The table as it is now, or as it was held. */
  Snapshot snapshot() {
    if (held != null) {
      return held;
    }
    Snapshot known = log.unsafeVolatileSnapshot();
    return isNewest(known) ? known : log.update(false, Option.empty(), Option.empty());
  }

  /**
   * A long log takes long to list. If the newest commit is the one that was read, and none follows
   * it, there is nothing new. A log that was cleaned up or made anew doesn't have it.
   */
  private boolean isNewest(Snapshot known) {
    return known.version() >= 0
        && !isCatalogManaged()
        && !commits.has(known.version() + 1)
        && commits
            .written(known.version())
            .equals(OptionalLong.of(known.logSegment().lastCommitFileModificationTimestamp()));
  }

  void hold() {
    held = snapshot();
  }

  void release() {
    held = null;
  }

  /** Then only the catalog may commit. */
  boolean isCatalogManaged() {
    return CollectionConverters.asJava(
            log.unsafeVolatileSnapshot().protocol().readerAndWriterFeatureNames())
        .stream()
        .anyMatch(feature -> feature.startsWith("catalog"));
  }

  KernelAppend kernel() {
    if (kernel == null) {
      Configuration hadoop = log.newDeltaHadoopConf();
      kernel =
          new KernelAppend(
              new SharedLogEngine(DefaultEngine.create(hadoop), log, hadoop),
              log.dataPath().toString(),
              commits);
    }
    return kernel;
  }
}
