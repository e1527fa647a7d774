package io.github.mssqlcdc.metric;

/** Told how a backfill goes on. */
@FunctionalInterface
public interface BackfillListener {

  /**
   * Called when the plan is known and after each wave, in the thread that runs the backfill. What
   * it throws ends the call; the waves so far are recorded.
   */
  void progressed(BackfillStatus status);
}
