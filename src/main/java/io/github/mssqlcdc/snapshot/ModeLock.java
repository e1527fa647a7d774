package io.github.mssqlcdc.snapshot;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who may take a snapshot while another is open: a full and a chunked one never are at the same
 * time.
 *
 * @param state of the stream's snapshots
 */
public record ModeLock(SnapshotState state) {

  /**
   * @throws InvalidRequestException if a chunked snapshot is open
   */
  public void requireNoChunked(String what) {
    state
        .current()
        .filter(SnapshotOpen::isChunked)
        .ifPresent(
            open -> {
              throw refused(
                  what,
                  open,
                  "isn't complete. Call backfill until it returns DONE, and start the stream with"
                      + " SnapshotMode.CHUNKED meanwhile; or give it up with abandonSnapshot");
            });
  }

  /**
   * @param minLsn min LSN now: a full snapshot that it has passed can't complete any more; null: it
   *     has passed none
   * @throws InvalidRequestException if a full snapshot is open that may still complete
   */
  public void requireNoFull(String what, @Nullable Lsn minLsn) {
    state
        .current()
        .filter(open -> !open.isChunked() && !isDead(open, minLsn))
        .ifPresent(
            open -> {
              throw refused(
                  what,
                  open,
                  "is open: a run is reading it, or died while it did. Start the stream with"
                      + " SnapshotMode.FULL again, which reads the table anew and completes it; or"
                      + " give it up with abandonSnapshot; or wait until CDC cleanup has passed its"
                      + " LSN");
            });
  }

  /**
   * @param minLsn as in {@link #requireNoFull}
   * @throws InvalidRequestException if any snapshot is open
   */
  public void requireNone(String what, @Nullable Lsn minLsn) {
    requireNoChunked(what);
    requireNoFull(what, minLsn);
  }

  /**
   * A full snapshot may go on only while its own open is the newest and nobody has given it up.
   *
   * @throws CdcException CONFLICTING_WRITER if another run has taken its place
   */
  public void requireOwn(SnapshotOpen own) {
    Optional<SnapshotOpen> newest = state.newest();
    boolean isNewest = newest.filter(open -> isSame(open, own)).isPresent();
    if (isNewest && state.end(own).isEmpty()) {
      return;
    }
    throw new CdcException(
        ErrorCode.CONFLICTING_WRITER,
        "Cannot go on with "
            + own.description()
            + " of '"
            + own.target()
            + "': "
            + (isNewest
                ? "it was completed or given up by another run meanwhile"
                : "another run has opened "
                    + newest.map(SnapshotOpen::description).orElse("a snapshot")
                    + " meanwhile")
            + ". Nothing of it was appended. Let one run take the snapshot");
  }

  private static boolean isDead(SnapshotOpen open, @Nullable Lsn minLsn) {
    return minLsn != null && minLsn.isAfter(open.position().lsn().next());
  }

  private static boolean isSame(SnapshotOpen a, SnapshotOpen b) {
    return a.number() == b.number()
        && a.mode() == b.mode()
        && a.position().lsn().equals(b.position().lsn());
  }

  private static InvalidRequestException refused(String what, SnapshotOpen open, String why) {
    return new InvalidRequestException(
        ErrorCode.SNAPSHOT_OPEN,
        "Cannot " + what + " '" + open.target() + "': " + open.description() + " " + why);
  }
}
