package io.github.mssqlcdc.reconcile;

import io.github.mssqlcdc.delta.table.StoredJson;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.ReconcileFailure;
import io.github.mssqlcdc.metric.ReconcileFailure.Type;
import io.github.mssqlcdc.plans.ChunkBounds;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;

/** What became of each bucket. */
final class Outcome {
  private final KeyBuckets buckets;
  private final List<Bucket> all;
  private final List<Bucket> compared;
  private final List<RowDifference> differences;
  private final Map<Bucket, Status> statuses = new HashMap<>();

  /**
   * @param compared the buckets whose rows were compared, in the order that their differences count
   *     by
   * @param reach whether all differences of these rows are known
   */
  Outcome(
      KeyBuckets buckets,
      List<Bucket> all,
      List<Bucket> compared,
      List<RowDifference> differences,
      Reach reach) {
    this.buckets = buckets;
    this.all = all;
    this.compared = compared;
    this.differences = differences;
    Map<Integer, List<RowDifference>> byBucket =
        differences.stream().collect(Collectors.groupingBy(RowDifference::bucket));
    for (int i = 0; i < compared.size(); i++) {
      List<RowDifference> found = byBucket.getOrDefault(i, List.of());
      statuses.put(compared.get(i), status(compared.get(i), found, reach));
    }
  }

  /** Of rows that were compared only what they say counts: the counts are older. */
  private static Status status(Bucket bucket, List<RowDifference> found, Reach reach) {
    if (found.isEmpty()) {
      return reach == Reach.SOME && !bucket.isEqual() ? Status.MISMATCH : Status.MATCH;
    }
    return found.stream().allMatch(one -> one.type() == Type.IN_FLIGHT)
        ? Status.IN_FLIGHT
        : Status.MISMATCH;
  }

  /** How many of the differences are known. */
  enum Reach {
    ALL,
    SOME
  }

  /** Of a bucket. */
  enum Status {
    MATCH,
    MISMATCH,
    IN_FLIGHT
  }

  /**
   * What all rows of a report have in common.
   *
   * @param at when the run began, UTC
   */
  record Run(
      String id,
      LocalDateTime at,
      String silver,
      long version,
      @Nullable Lsn silverLsn,
      @Nullable Lsn sourceLsn) {}

  int count(Status status) {
    return (int) all.stream().filter(bucket -> status(bucket) == status).count();
  }

  private Status status(Bucket bucket) {
    return statuses.getOrDefault(bucket, Status.MATCH);
  }

  List<ReconcileFailure> failures() {
    return differences.stream()
        .map(
            one -> {
              ChunkBounds bounds = bounds(compared.get(one.bucket()));
              return new ReconcileFailure(
                  one.type(),
                  one.key(),
                  ChunkChecks.stored(bounds.lo()),
                  ChunkChecks.stored(bounds.hi()),
                  detail(one));
            })
        .toList();
  }

  private ChunkBounds bounds(Bucket bucket) {
    return buckets.bounds(0, bucket.number());
  }

  private static @Nullable String detail(RowDifference one) {
    Map<String, Object> detail = new LinkedHashMap<>();
    if (one.silverLsn() != null) {
      detail.put("silver_start_lsn", one.silverLsn());
    }
    if (one.type() == Type.DUPLICATE) {
      detail.put("source_rows", one.sourceRows());
      detail.put("silver_rows", one.silverRows());
    }
    if (!one.columns().isEmpty()) {
      detail.put("columns", one.columns());
    }
    if (!one.unknown().isEmpty()) {
      detail.put("unknown", one.unknown());
    }
    return detail.isEmpty() ? null : StoredJson.write(detail);
  }

  /** A row for each bucket, each difference, each chunk that is wrong. */
  List<Row> rows(Run run, List<ReconcileFailure> chunks) {
    List<Row> rows = new ArrayList<>();
    for (Bucket bucket : all) {
      ChunkBounds bounds = bounds(bucket);
      rows.add(
          row(
              run,
              ChunkChecks.stored(bounds.lo()),
              ChunkChecks.stored(bounds.hi()),
              bucket.sourceRows(),
              bucket.silverRows(),
              bucket.source() == null ? null : bucket.source().keySum(),
              bucket.silver() == null ? null : bucket.silver().keySum(),
              status(bucket).name(),
              statuses.containsKey(bucket),
              null,
              null,
              null));
    }
    List<ReconcileFailure> others = new ArrayList<>(failures());
    others.addAll(chunks);
    for (ReconcileFailure one : others) {
      rows.add(
          row(
              run,
              one.lo(),
              one.hi(),
              null,
              null,
              null,
              null,
              one.key() == null ? null : differs(one),
              one.key() == null ? null : Boolean.TRUE,
              one.key(),
              one.type().name(),
              one.detail()));
    }
    return rows;
  }

  private static String differs(ReconcileFailure one) {
    return (one.type() == Type.IN_FLIGHT ? Status.IN_FLIGHT : Status.MISMATCH).name();
  }

  /** What tells of the run comes first; the rest follows in the table's own order. */
  private static Row row(Run run, @Nullable Object... rest) {
    List<@Nullable Object> values = new ArrayList<>();
    values.add(run.id());
    values.add(run.at());
    values.add(run.silver());
    values.add(run.version());
    values.add(run.silverLsn() == null ? null : run.silverLsn().toString());
    values.add(run.sourceLsn() == null ? null : run.sourceLsn().toString());
    values.addAll(Arrays.asList(rest));
    return RowFactory.create(values.toArray());
  }
}
