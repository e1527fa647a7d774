package io.github.mssqlcdc.benchmark;

/**
 * What a piece of work took.
 *
 * @param wallSeconds time on the clock
 * @param cpuSeconds processor time
 */
record Cost(double wallSeconds, double cpuSeconds) {

  /** Work on so many rows, compared by rows per second of processor time. */
  Sample perCpuSecond(long rows) {
    return new Sample(rows / cpuSeconds, wallSeconds, cpuSeconds);
  }

  /** Work compared by the time it took, in milliseconds. */
  Sample millis() {
    return new Sample(wallSeconds * 1e3, wallSeconds, cpuSeconds);
  }
}
