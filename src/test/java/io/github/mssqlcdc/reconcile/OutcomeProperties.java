package io.github.mssqlcdc.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.metric.ReconcileFailure;
import io.github.mssqlcdc.metric.ReconcileFailure.Type;
import io.github.mssqlcdc.reconcile.Outcome.Reach;
import io.github.mssqlcdc.reconcile.Outcome.Status;
import io.github.mssqlcdc.sqlserver.BucketCount;
import io.github.mssqlcdc.sqlserver.BucketGrid;
import io.github.mssqlcdc.type.SqlType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** Two tables that differ at random, and what a comparison makes of them. */
class OutcomeProperties {
  private static final KeyColumn ID = new KeyColumn("id", new SqlType("int", 0, 0, 0), null);
  private static final int LOWEST = -20;
  private static final int HIGHEST = 40;

  private final Map<Long, Integer> source = new TreeMap<>();
  private final Map<Long, Integer> silver = new TreeMap<>();
  private final Map<Long, Type> planted = new TreeMap<>();

  @Property(tries = 2000)
  void everyPlantedDifferenceOfTheBucketsComparedIsToldAndNoneElse(@ForAll long seed) {
    Random random = new Random(seed);
    plant(random);
    long width = 1 + random.nextInt(12);
    double sample = random.nextInt(3) / 2.0;
    List<Bucket> all = Bucket.join(counts(source, width), counts(silver, width));
    List<Bucket> compared = Bucket.compared(all, sample, seed);

    assertThat(compared).containsAll(all.stream().filter(bucket -> !bucket.isEqual()).toList());
    if (sample == 1) {
      assertThat(compared).isEqualTo(all);
    }
    List<RowDifference> differences = differences(compared, width);
    Outcome outcome =
        new Outcome(
            new KeyBuckets(new BucketGrid(ID, width)), all, compared, differences, Reach.ALL);

    Map<Long, Type> told = new TreeMap<>();
    for (ReconcileFailure failure : outcome.failures()) {
      long key = Long.parseLong(String.valueOf(failure.key()));
      assertThat(key).isBetween(bound(failure.lo()), bound(failure.hi()) - 1);
      told.put(key, failure.type());
    }
    assertThat(told).isEqualTo(sample == 1 ? planted : ofCompared(compared, width));
    for (Status status : Status.values()) {
      assertThat(outcome.count(status))
          .as(status.name())
          .isEqualTo((int) all.stream().filter(b -> status(b, compared, width) == status).count());
    }
  }

  private void plant(Random random) {
    source.clear();
    silver.clear();
    planted.clear();
    int rarity = 2 + random.nextInt(30);
    for (long key = LOWEST; key < HIGHEST; key++) {
      int value = random.nextInt();
      int what = random.nextInt(3 * rarity);
      if (what != 0 && random.nextBoolean()) {
        source.put(key, value);
      }
      if (what == 1) {
        silver.put(key, value + 1);
      } else if (what != 2 && source.containsKey(key)) {
        silver.put(key, value);
      }
      if (what == 0) {
        silver.put(key, value);
      }
      Type type = type(key);
      if (type != null) {
        planted.put(key, random.nextInt(3) == 0 ? Type.IN_FLIGHT : type);
      }
    }
  }

  private @Nullable Type type(long key) {
    Integer ours = source.get(key);
    Integer theirs = silver.get(key);
    if (ours == null) {
      return theirs == null ? null : Type.MISSING_SOURCE;
    }
    if (theirs == null) {
      return Type.MISSING_TARGET;
    }
    return ours.equals(theirs) ? null : Type.RECORD_DIFF;
  }

  private static List<BucketCount> counts(Map<Long, Integer> rows, long width) {
    return rows.keySet().stream()
        .collect(Collectors.groupingBy(key -> Math.floorDiv(key, width)))
        .entrySet()
        .stream()
        .map(
            bucket ->
                new BucketCount(
                    bucket.getKey(),
                    bucket.getValue().size(),
                    BigDecimal.valueOf(bucket.getValue().stream().mapToLong(key -> key).sum())))
        .toList();
  }

  private List<RowDifference> differences(List<Bucket> compared, long width) {
    List<RowDifference> differences = new ArrayList<>();
    for (int i = 0; i < compared.size(); i++) {
      for (Map.Entry<Long, Type> one : in(compared.get(i), width).entrySet()) {
        differences.add(
            new RowDifference(
                i, one.getKey().toString(), one.getValue(), null, List.of(), List.of(), 1, 1));
      }
    }
    return differences;
  }

  private Map<Long, Type> in(Bucket bucket, long width) {
    return planted.entrySet().stream()
        .filter(one -> Long.valueOf(Math.floorDiv(one.getKey(), width)).equals(bucket.number()))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private Map<Long, Type> ofCompared(List<Bucket> compared, long width) {
    Map<Long, Type> all = new TreeMap<>();
    compared.forEach(bucket -> all.putAll(in(bucket, width)));
    return all;
  }

  private Status status(Bucket bucket, List<Bucket> compared, long width) {
    Map<Long, Type> found = compared.contains(bucket) ? in(bucket, width) : Map.of();
    if (found.isEmpty()) {
      return Status.MATCH;
    }
    return found.values().stream().allMatch(type -> type == Type.IN_FLIGHT)
        ? Status.IN_FLIGHT
        : Status.MISMATCH;
  }

  private static long bound(@Nullable String json) {
    return Long.parseLong(String.valueOf(json));
  }
}
