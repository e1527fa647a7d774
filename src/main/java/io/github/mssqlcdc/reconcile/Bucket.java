package io.github.mssqlcdc.reconcile;

import io.github.mssqlcdc.sqlserver.BucketCount;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A bucket of both sides.
 *
 * @param number null: the keys that are NULL, or the whole table
 * @param source null: the source has no row in it
 * @param silver null: silver has none
 */
record Bucket(@Nullable Long number, @Nullable BucketCount source, @Nullable BucketCount silver) {

  /** In the order of their numbers. */
  static List<Bucket> join(Collection<BucketCount> source, Collection<BucketCount> silver) {
    Map<@Nullable Long, BucketCount> ofSource = byNumber(source);
    Map<@Nullable Long, BucketCount> ofSilver = byNumber(silver);
    Set<@Nullable Long> numbers = new HashSet<>(ofSource.keySet());
    numbers.addAll(ofSilver.keySet());
    List<Bucket> buckets = new ArrayList<>();
    for (Long number : numbers) {
      buckets.add(new Bucket(number, ofSource.get(number), ofSilver.get(number)));
    }
    buckets.sort(
        Comparator.comparing(Bucket::number, Comparator.nullsFirst(Comparator.naturalOrder())));
    return buckets;
  }

  private static Map<@Nullable Long, BucketCount> byNumber(Collection<BucketCount> counts) {
    Map<@Nullable Long, BucketCount> byNumber = new HashMap<>();
    counts.forEach(count -> byNumber.put(count.bucket(), count));
    return byNumber;
  }

  long sourceRows() {
    return source == null ? 0 : source.rows();
  }

  long silverRows() {
    return silver == null ? 0 : silver.rows();
  }

  boolean isEqual() {
    return sourceRows() == silverRows() && sum(source).compareTo(sum(silver)) == 0;
  }

  private static BigDecimal sum(@Nullable BucketCount count) {
    return count == null || count.keySum() == null ? BigDecimal.ZERO : count.keySum();
  }

  /** The buckets whose rows are compared: those that differ, and some of the others. */
  static List<Bucket> compared(List<Bucket> all, double sample, long seed) {
    List<Bucket> equal = new ArrayList<>(all.stream().filter(Bucket::isEqual).toList());
    java.util.Collections.shuffle(equal, new Random(seed));
    Set<Bucket> chosen =
        new HashSet<>(equal.subList(0, (int) Math.ceil(sample * equal.size() - 1e-9)));
    return all.stream().filter(bucket -> !bucket.isEqual() || chosen.contains(bucket)).toList();
  }
}
