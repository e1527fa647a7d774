package io.github.mssqlcdc.bronze;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.min;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.delta.table.Commit;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.delta.table.StoredJson;
import io.github.mssqlcdc.delta.table.TransactionId;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.offset.Offset;
import java.time.LocalDateTime;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.Row;

/** What a bronze table holds of chunked snapshots. */
public final class Waves {
  private final LakeTable table;

  public Waves(LakeTable table) {
    this.table = table;
  }

  /** The highest wave that was committed; empty without any. Waves without rows have no commit. */
  public OptionalLong newest(SnapshotId id) {
    return table.latestTransaction(id.transaction("snap"));
  }

  /** What the commit of a wave says; empty once the log has dropped it. */
  public Optional<JsonNode> note(SnapshotId id, int wave) {
    return table.find(transaction(id, wave)).map(Commit::userMetadata).flatMap(StoredJson::parse);
  }

  /**
   * The chunks from a number on that have rows, in their order; one of them twice if rows of two
   * stamps stand there: those of another snapshot at the same LSN may. A Spark job.
   *
   * @param history the history that the snapshot belongs to
   */
  public List<HeldChunk> chunksFrom(SnapshotId id, int history, int first) {
    return table
        .read()
        .where(col(BronzeColumns.SNAPSHOT).equalTo(id.lsn().toString()))
        .where(col(BronzeColumns.HISTORY).equalTo(history))
        .where(col(BronzeColumns.CHUNK).geq(first))
        .groupBy(BronzeColumns.CHUNK, BronzeColumns.START_LSN)
        .agg(count_if(lit(true)), min(BronzeColumns.COMMIT_TS))
        .orderBy(BronzeColumns.CHUNK, BronzeColumns.START_LSN)
        .collectAsList()
        .stream()
        .map(Waves::held)
        .toList();
  }

  private static HeldChunk held(Row row) {
    return new HeldChunk(
        row.getInt(0),
        row.getLong(2),
        new Offset(Lsn.parse(row.getString(1)), (LocalDateTime) row.get(3), null));
  }

  /** Whether recent commits tell that no row has been taken away since this wave came. */
  public boolean isIntactSince(SnapshotId id, int wave) {
    TransactionId own = transaction(id, wave);
    Iterator<Commit> commits =
        table.newestCommits().limit(BronzeTable.COMMITS_LOOKED_AT).iterator();
    while (commits.hasNext()) {
      Commit commit = commits.next();
      if (commit.transactions().contains(own)) {
        return true;
      }
      if (commit.takesRows()) {
        return false;
      }
    }
    return false;
  }

  static TransactionId transaction(SnapshotId id, int wave) {
    return new TransactionId(id.transaction("snap"), wave);
  }

  /**
   * A chunk by its rows.
   *
   * @param stamp of its rows
   */
  public record HeldChunk(int chunk, long rows, Offset stamp) {}
}
