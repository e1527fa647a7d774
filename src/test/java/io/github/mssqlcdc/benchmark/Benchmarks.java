package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.testkit.spark.TestSession;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.ServiceLoader.Provider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs benchmarks by name, or all. Several run in a JVM each, so that none is measured in code that
 * another has warmed up.
 */
public final class Benchmarks {
  private static final List<Benchmark> OURS =
      List.of(
          ReadBenchmark.againstBareLoop(),
          ReadBenchmark.floor(),
          ReadBenchmark.againstJdbc(),
          new ChangesBenchmark(),
          new DeltaSnapshotBenchmark(),
          new DeltaStreamBenchmark(),
          new LatencyBenchmark(),
          new IdleBenchmark(),
          new ManyBenchmark(),
          new GrowthBenchmark(),
          new SilverBenchmark(),
          new BackfillBenchmark(),
          new RoundTripBenchmark());

  /** With those whose libraries only the profile has. */
  private static final List<Benchmark> ALL =
      Stream.concat(OURS.stream(), ServiceLoader.load(Benchmark.class).stream().map(Provider::get))
          .toList();

  private static final Report REPORT = new Report(Path.of("target", "benchmark"));

  private Benchmarks() {}

  /**
   * Prints the numbers; exits with 1 if there is no benchmark of a name, or one fails.
   *
   * @param args names, with commas between; {@code all}
   */
  public static void main(String[] args) throws Exception {
    String asked = args.length == 0 ? "all" : args[0];
    String known = ALL.stream().map(Benchmark::name).collect(Collectors.joining(","));
    List<String> names = List.of((asked.equals("all") ? known : asked).split(","));
    List<Benchmark> chosen = ALL.stream().filter(b -> names.contains(b.name())).toList();
    if (chosen.size() < names.size()) {
      System.err.println("Unknown benchmark in '" + asked + "': use all, or of " + known);
      System.exit(1);
    }
    boolean allRan = true;
    if (chosen.size() == 1) {
      TestSession.compiled();
      REPORT.write(chosen.get(0).run());
    } else {
      for (Benchmark benchmark : chosen) {
        allRan &= runApart(benchmark.name());
      }
      System.out.println();
    }
    if (args.length < 2) {
      REPORT.print(names, System.out);
    }
    System.exit(allRan ? 0 : 1);
  }

  private static boolean runApart(String name) throws Exception {
    System.out.println(name + " …");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(
        Arrays.asList("-cp", System.getProperty("java.class.path"), Benchmarks.class.getName()));
    // the second argument: no table of its own
    command.addAll(List.of(name, "part"));
    return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
  }
}
