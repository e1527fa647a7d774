package io.github.mssqlcdc.benchmark;

/** Something that is measured against something else, on this machine, in this run. */
interface Benchmark {

  /** As option {@code bench} calls it. */
  String name();

  /** Takes a while. */
  Result run() throws Exception;
}
