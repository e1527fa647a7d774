package io.github.mssqlcdc.source.row;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.type.ColumnSink;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The metadata columns of change rows, with a tally of the rows seen. What is the same for all rows
 * of a commit is made once per commit. Not thread-safe.
 */
public final class ChangeHeader implements RowHeader {
  private static final int START_LSN = 1;
  private static final int COMMAND_ID = 2;
  private static final int SEQVAL = 3;
  private static final int OPERATION = 4;
  private static final int COMMITTED_AT = 5;
  private static final int UPDATE_MASK = 6;

  private final byte[] captureInstance;
  private final boolean readsMask;
  private final CommitTimes times;

  private byte[] commit = new byte[0];
  private byte[] lsnText = new byte[0];
  private @Nullable LocalDateTime commitTs;
  private long commitMicros;
  private byte[] seqval = new byte[0];
  private int operation;
  private @Nullable Integer commandId;
  private byte @Nullable [] mask;

  private final ChangeTally kept = new ChangeTally();
  private final ChangeTally batch = new ChangeTally();

  /**
   * @param layout says whether rows come with their update mask
   */
  public ChangeHeader(String captureInstance, RowLayout layout, CommitTimes times) {
    this.captureInstance = captureInstance.getBytes(UTF_8);
    this.readsMask = layout.readsMask();
    this.times = times;
  }

  @Override
  public int width() {
    return readsMask ? UPDATE_MASK : COMMITTED_AT;
  }

  @Override
  public void beginBatch() {
    batch.clear();
    // so that its commit is tallied in this batch, too
    commit = new byte[0];
  }

  @Override
  public void endBatch() {
    kept.add(batch);
    batch.clear();
  }

  @Override
  public void read(ResultSet row) throws SQLException {
    byte[] lsn = row.getBytes(START_LSN);
    if (!Arrays.equals(lsn, commit)) {
      enter(lsn, row.getObject(COMMITTED_AT, LocalDateTime.class));
    }
    int command = row.getInt(COMMAND_ID);
    commandId = row.wasNull() ? null : (Integer) command;
    seqval = row.getBytes(SEQVAL);
    operation = row.getInt(OPERATION);
    batch.count(operation);
    if (readsMask) {
      mask = row.getBytes(UPDATE_MASK);
    }
  }

  @Override
  public void put(MetadataColumn column, ColumnSink sink) {
    switch (column) {
      case CAPTURE_INSTANCE -> sink.putBytes(captureInstance);
      case START_LSN -> sink.putBytes(lsnText);
      case SEQVAL -> sink.putBytes(LsnText.of(seqval));
      case OPERATION -> sink.putInt(operation);
      case COMMAND_ID -> {
        if (commandId == null) {
          sink.putNull();
        } else {
          sink.putInt(commandId);
        }
      }
      case COMMIT_TS -> {
        if (commitTs == null) {
          sink.putNull();
        } else {
          sink.putLong(commitMicros);
        }
      }
      case UPDATE_MASK -> {
        if (mask == null) {
          sink.putNull();
        } else {
          sink.putBytes(mask);
        }
      }
      default -> throw new IllegalStateException("No header of a change tells " + column);
    }
  }

  @Override
  public boolean leavesOut(LargeColumn column) {
    return column.isLeftOut(operation, mask);
  }

  @Override
  public boolean isConstant(MetadataColumn column) {
    return column == MetadataColumn.CAPTURE_INSTANCE;
  }

  /**
   * The rows kept so far.
   *
   * @param bytes size of their values
   * @param seconds time spent reading
   * @param networkWaitMs see {@link RangeMeasure#networkWaitMs}
   */
  public RangeMeasure measure(long bytes, double seconds, @Nullable Long networkWaitMs) {
    return kept.measure(bytes, seconds, networkWaitMs);
  }

  private void enter(byte[] lsn, @Nullable LocalDateTime committedAt) {
    commit = lsn;
    Lsn read = Lsn.of(lsn);
    lsnText = read.toString().getBytes(US_ASCII);
    commitTs = times.of(committedAt == null ? null : new MapEntry(read, committedAt));
    commitMicros = commitTs == null ? 0 : Micros.of(commitTs);
    batch.enter(read, commitTs);
  }
}
