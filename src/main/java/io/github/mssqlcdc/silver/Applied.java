package io.github.mssqlcdc.silver;

import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.control.AppliedPosition;
import io.github.mssqlcdc.lsn.Lsn;
import org.jspecify.annotations.Nullable;

/**
 * What a call has done.
 *
 * @param note how far silver is now
 * @param how rows came to be as they are
 */
public record Applied(SilverNote note, How how) {
  /** What was done to silver's rows. */
  public enum How {
    REBUILT,
    ADVANCED
  }

  public @Nullable Lsn appliedLsn() {
    return lsn(note.applied());
  }

  public int history() {
    Position applied = note.applied();
    return applied == null ? 0 : applied.history();
  }

  /** Whether a chunked snapshot is being applied, so that rows are still to come. */
  public boolean isOpen() {
    return note.open() != null;
  }

  /** Up to where bronze is in silver, for the control table. */
  public AppliedPosition position() {
    return new AppliedPosition(
        lsn(note.applied()),
        lsn(note.snapshot()),
        lsn(note.open()),
        note.open() == null ? null : note.version());
  }

  private static @Nullable Lsn lsn(@Nullable Position position) {
    return position == null ? null : position.lsn();
  }
}
