package io.github.mssqlcdc.snapshot;

import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that was begun.
 *
 * @param number of the open, counted per stream
 * @param mode how it is taken
 * @param purpose what it is taken for
 * @param position S: where the stream goes on from
 * @param history history of the source that S belongs to
 * @param keys columns that the table is cut on; none for a full one, or without a key
 * @param target bronze, as the caller spelt it
 * @param startedAt when it was begun, UTC
 * @param captureInstance one of the source table's; null where it wasn't kept
 */
public record SnapshotOpen(
    int number,
    SnapshotMode mode,
    Purpose purpose,
    Offset position,
    int history,
    List<String> keys,
    String target,
    @Nullable LocalDateTime startedAt,
    @Nullable String captureInstance) {

  public SnapshotOpen {
    keys = List.copyOf(keys);
  }

  /** The stream's generation that it belongs to. */
  public int generation() {
    return purpose.generation();
  }

  public boolean isChunked() {
    return mode == SnapshotMode.CHUNKED;
  }

  /** Its name in the tables of this stream. */
  public SnapshotId id(String appId) {
    return new SnapshotId(appId, position.lsn(), number);
  }

  /** For messages: {@code the chunked snapshot at 0x… (generation 0, open 1)}. */
  public String description() {
    return "the "
        + mode.text()
        + " snapshot at "
        + position.lsn()
        + " (generation "
        + generation()
        + ", open "
        + number
        + ")";
  }
}
