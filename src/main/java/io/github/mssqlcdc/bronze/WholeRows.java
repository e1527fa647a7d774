package io.github.mssqlcdc.bronze;

import io.github.mssqlcdc.offset.Offset;

/**
 * A snapshot that is appended as a whole.
 *
 * @param origin where its rows are from
 * @param captureInstance that its rows are of
 * @param stamp what its rows are stamped with
 * @param history the history of the source that they belong to
 * @param number as {@link BronzeTable#nextWhole} gave it
 * @param proof called when the rows are written and before they are committed; what it throws gives
 *     them up
 */
public record WholeRows(
    Origin origin,
    String captureInstance,
    Offset stamp,
    int history,
    long number,
    Runnable proof) {

  /** Where a snapshot's rows are from. */
  public enum Origin {
    TABLE,
    /** A copy from elsewhere: a seed. */
    COPY
  }

  /** What its commit says of it. */
  String note() {
    return origin == Origin.TABLE
        ? CommitNote.ofSnapshot(captureInstance, stamp, history)
        : CommitNote.ofSeed(captureInstance, stamp, history);
  }

  /** True, if the proof throws nothing. */
  boolean isProved() {
    proof.run();
    return true;
  }
}
