package io.github.mssqlcdc.benchmark;

/** Runs the benchmark that is named: {@code latency} or {@code roundtrips}. */
public final class Benchmarks {
  private Benchmarks() {}

  /** Prints the numbers; exits with 1 if there is no benchmark of this name. */
  public static void main(String[] args) throws Exception {
    String name = args.length == 0 ? "" : args[0];
    switch (name) {
      case "latency" -> new LatencyBenchmark(System.out).run();
      case "roundtrips" -> new RoundTripBenchmark(System.out).run();
      default -> {
        System.err.println("Unknown benchmark '" + name + "': use latency or roundtrips");
        System.exit(1);
      }
    }
    System.exit(0);
  }
}
