package io.github.mssqlcdc.source.row;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.type.ColumnSink;
import java.sql.ResultSet;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The metadata columns of snapshot rows: the same in each.
 *
 * @param captureInstance the instance of the table
 * @param stamp LSN recorded before the read
 * @param commitTs its commit time, UTC; null where it has none
 * @param chunk number of the chunk read; null where the snapshot isn't read in chunks
 */
public record SnapshotHeader(
    String captureInstance, Lsn stamp, @Nullable LocalDateTime commitTs, @Nullable Integer chunk)
    implements RowHeader {
  private static final int OPERATION = 0;

  @Override
  public int width() {
    return 0;
  }

  @Override
  public void beginBatch() {}

  @Override
  public void endBatch() {}

  @Override
  public void read(ResultSet row) {}

  @Override
  public void put(MetadataColumn column, ColumnSink sink) {
    switch (column) {
      case CAPTURE_INSTANCE -> sink.putBytes(captureInstance.getBytes(UTF_8));
      case START_LSN -> sink.putBytes(stamp.toString().getBytes(US_ASCII));
      case OPERATION -> sink.putInt(OPERATION);
      case SEQVAL, COMMAND_ID, UNKNOWN_COLUMNS, UPDATE_MASK -> sink.putNull();
      case COMMIT_TS -> {
        if (commitTs == null) {
          sink.putNull();
        } else {
          sink.putLong(Micros.of(commitTs));
        }
      }
      case CHUNK -> {
        if (chunk == null) {
          sink.putNull();
        } else {
          sink.putInt(chunk);
        }
      }
    }
  }

  @Override
  public boolean leavesOut(LargeColumn column) {
    return false;
  }

  @Override
  public boolean isConstant(MetadataColumn column) {
    return true;
  }
}
