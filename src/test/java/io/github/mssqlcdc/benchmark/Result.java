package io.github.mssqlcdc.benchmark;

import java.util.Comparator;
import java.util.List;

/**
 * What a benchmark found.
 *
 * @param unit of the figures compared
 */
record Result(String name, String unit, List<Comparison> comparisons) {

  Result {
    comparisons = List.copyOf(comparisons);
  }

  /** The one that passes its bar by the least, or misses it by the most: it speaks for all. */
  Comparison hardest() {
    return comparisons.stream().min(Comparator.comparingDouble(Comparison::margin)).orElseThrow();
  }
}
