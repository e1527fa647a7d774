package io.github.mssqlcdc.metric;

/** Where a backfill stands when a call of it ends. */
public enum BackfillState {
  /** Every chunk is in the target. */
  DONE,
  /** The call's budget has run out; the next call goes on. */
  RUNNING,
  /** The stream is too close to the end of CDC's retention; nothing is read meanwhile. */
  WAITING_HEADROOM,
  /** The stream hasn't told how far it is from the end of CDC's retention. */
  WAITING_METRICS,
  /** There is no chunked snapshot to read chunks of. */
  NO_SNAPSHOT
}
