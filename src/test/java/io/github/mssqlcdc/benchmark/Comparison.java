package io.github.mssqlcdc.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Runs of ours and of the other, pair by pair.
 *
 * @param label what sets it apart from the benchmark's others
 * @param bar the least ratio; as the ratio, above 1 where ours has to be the better one
 */
record Comparison(String label, Better better, double bar, List<Pair> pairs) {
  /** For what is compared to be known, and has no goal. */
  static final double NO_BAR = 0;

  private static final int RUNS = 5;

  /** Which figure is the better one. */
  enum Better {
    HIGHER,
    LOWER
  }

  record Pair(Sample ours, Sample theirs) {}

  /** Does the work once. */
  @FunctionalInterface
  interface Side {
    Sample run() throws Exception;
  }

  Comparison {
    pairs = List.copyOf(pairs);
  }

  /**
   * Runs both in turn, first without measuring.
   *
   * @param warmUps how often
   */
  static Comparison inTurn(
      String label, Better better, double bar, int warmUps, Side ours, Side theirs)
      throws Exception {
    return inTurn(label, better, bar, warmUps, RUNS, ours, theirs);
  }

  static Comparison inTurn(
      String label, Better better, double bar, int warmUps, int runs, Side ours, Side theirs)
      throws Exception {
    List<Pair> pairs = new ArrayList<>();
    for (int run = -warmUps; run < runs; run++) {
      Pair pair = new Pair(ours.run(), theirs.run());
      if (run >= 0) {
        pairs.add(pair);
      }
    }
    return new Comparison(label, better, bar, pairs);
  }

  /** A figure that may be so high and no more. */
  static Comparison atMost(String label, double allowed, List<Sample> ours) {
    Sample bound = Sample.of(allowed);
    return new Comparison(
        label, Better.LOWER, 1, ours.stream().map(sample -> new Pair(sample, bound)).toList());
  }

  /** Of the pairs, in order: at the bar or above it is as good as asked for. */
  List<Double> ratios() {
    return pairs.stream().map(this::ratio).toList();
  }

  private double ratio(Pair pair) {
    return better == Better.HIGHER
        ? pair.ours.value() / pair.theirs.value()
        : pair.theirs.value() / pair.ours.value();
  }

  double medianRatio() {
    return median(ratios());
  }

  /** How far the bar is passed; below 1 it is missed. */
  double margin() {
    return medianRatio() / bar;
  }

  double ours(ToDoubleFunction<Sample> figure) {
    return median(pairs.stream().map(pair -> figure.applyAsDouble(pair.ours)).toList());
  }

  double theirs(ToDoubleFunction<Sample> figure) {
    return median(pairs.stream().map(pair -> figure.applyAsDouble(pair.theirs)).toList());
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
