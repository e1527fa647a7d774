package io.github.mssqlcdc.bronze;

import static org.apache.spark.sql.functions.max;

import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;

/** The histories of the source that a bronze table knows, followed commit by commit. */
final class Histories {
  private static final long NEVER = -1;

  private final LakeTable table;
  private long seenThrough = NEVER;
  private int highest;

  Histories(LakeTable table) {
    this.table = table;
  }

  /** 0 for a new table. */
  int highest() {
    long version = table.version();
    if (seenThrough == NEVER && version >= 0) {
      highest = ofTable();
    } else {
      highest =
          table
              .commitsAfter(seenThrough)
              .flatMap(commit -> CommitNote.history(commit).stream())
              .reduce(highest, Math::max);
    }
    seenThrough = version;
    return highest;
  }

  /** What is appended is compared with all else by history first, so none may fall behind. */
  void requireHighest(int history) {
    int known = highest();
    if (known > history) {
      throw new CdcException(
          ErrorCode.CONFLICTING_WRITER,
          "Cannot append rows of history "
              + history
              + " of the source to '"
              + table.ref()
              + "': another writer has brought history "
              + known
              + " meanwhile. Start the run again");
    }
  }

  /** None falls behind, so the newest commit that names one names the highest. */
  private int ofTable() {
    return table
        .newestCommits()
        .limit(BronzeTable.COMMITS_LOOKED_AT)
        .flatMap(commit -> CommitNote.history(commit).stream())
        .findFirst()
        .orElseGet(this::ofRows);
  }

  private int ofRows() {
    if (table.isNew()
        || Stream.of(table.schema().fieldNames()).noneMatch(BronzeColumns.HISTORY::equals)) {
      return 0;
    }
    Row row = table.read().agg(max(BronzeColumns.HISTORY)).head();
    return row.isNullAt(0) ? 0 : row.getInt(0);
  }
}
