package io.github.mssqlcdc.benchmark;

/**
 * One measured run.
 *
 * @param value the figure that is compared, in the benchmark's unit
 * @param wallSeconds time on the clock
 * @param cpuSeconds processor time of whoever did the work
 */
record Sample(double value, double wallSeconds, double cpuSeconds) {

  /** A figure that has no time of its own: a count, or what is allowed. */
  static Sample of(double value) {
    return new Sample(value, Double.NaN, Double.NaN);
  }
}
