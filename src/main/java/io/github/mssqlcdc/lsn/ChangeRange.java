package io.github.mssqlcdc.lsn;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A contiguous part of a change table. Its ends are whole commits, or positions inside a commit
 * where a batch is cut there.
 *
 * @param after the range begins with the commits after this LSN
 * @param from where the range begins inside a commit: at this row, included; null: with the first
 *     row after {@code after}. Not null means {@code after} is the LSN before its commit.
 * @param through the range ends with the commit at this LSN
 * @param before where the range ends inside a commit: before this row; null: with the last row of
 *     {@code through}. Not null means {@code through} is its commit.
 */
public record ChangeRange(
    Lsn after, @Nullable ChangePosition from, Lsn through, @Nullable ChangePosition before)
    implements Serializable {

  public ChangeRange {
    if (through.compareTo(after) <= 0) {
      throw new IllegalArgumentException("Empty range (" + after + ", " + through + "]");
    }
    if (from != null && !after.equals(from.commit().previous())) {
      throw new IllegalArgumentException("Range from " + from + " can't start after " + after);
    }
    if (before != null && !through.equals(before.commit())) {
      throw new IllegalArgumentException("Range before " + before + " can't end at " + through);
    }
  }

  /** Whole commits: (after, through]. */
  public static ChangeRange commits(Lsn after, Lsn through) {
    return new ChangeRange(after, null, through, null);
  }

  /**
   * The lowest LSN at which a commit of this range may stand. A min LSN above it means that rows of
   * the range may be gone.
   */
  public Lsn firstPossibleCommit() {
    return after.next();
  }

  @Override
  public String toString() {
    return (from == null ? "(" + after : "[" + from)
        + ", "
        + (before == null ? through + "]" : before + ")");
  }
}
