package io.github.mssqlcdc.metric;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ledger of one stream, kept in the driver's memory for the batch at hand. Thread-safe. */
public final class StreamLedger implements BatchLedger {
  private final Clock clock;
  private @Nullable Planned current;
  private @Nullable LocalDateTime begunAt;
  private final List<String> warnings = new ArrayList<>();
  private @Nullable Lsn held;
  private @Nullable Supplier<@Nullable Lsn> told;

  public StreamLedger() {
    this(Clock.systemUTC());
  }

  /**
   * @param clock in UTC: when the work on a batch begins
   */
  public StreamLedger(Clock clock) {
    this.clock = clock;
  }

  @Override
  public synchronized void begun() {
    begunAt = LocalDateTime.now(clock);
  }

  @Override
  public synchronized void planned(Offset start, Offset end, int ranges, BatchMeasure marks) {
    LocalDateTime startedAt = begunAt == null ? LocalDateTime.now(clock) : begunAt;
    begunAt = null;
    current =
        new Planned(
            start,
            end,
            startedAt,
            ranges,
            marks,
            new ConcurrentHashMap<>(),
            new Skips(),
            new CopyOnWriteArrayList<>());
  }

  @Override
  public synchronized void reported(Offset start, Offset end, int range, RangeMeasure measure) {
    Planned batch = at(start, end);
    if (batch != null) {
      batch.reports.put(range, measure);
    }
  }

  @Override
  public synchronized void skipped(Offset start, Offset end, SkippedChanges skip) {
    Planned batch = at(start, end);
    if (batch != null) {
      batch.gaps.add(skip);
    }
  }

  @Override
  public synchronized void happened(Offset start, Offset end, List<SourceEvent> events) {
    Planned batch = at(start, end);
    if (batch != null) {
      batch.events.addAll(events);
    }
  }

  private @Nullable Planned at(Offset start, Offset end) {
    return current != null && current.start.equals(start) && current.end.equals(end)
        ? current
        : null;
  }

  @Override
  public synchronized @Nullable Batch current() {
    return current;
  }

  @Override
  public synchronized void warn(String warning) {
    warnings.add(warning);
  }

  @Override
  public synchronized List<String> takeWarnings() {
    List<String> taken = List.copyOf(warnings);
    warnings.clear();
    return taken;
  }

  @Override
  public synchronized void heldThrough(Lsn lsn) {
    held = lsn;
  }

  @Override
  public synchronized @Nullable Lsn held() {
    return held;
  }

  @Override
  public synchronized void toldThrough(Supplier<@Nullable Lsn> lsn) {
    told = lsn;
  }

  @Override
  public synchronized @Nullable Lsn told() {
    return told == null ? held : told.get();
  }

  /** Gaps of a batch: the certain one that planning found, and what its reads found, as one. */
  private static final class Skips {
    private @Nullable SkippedChanges certain;
    private @Nullable SkippedChanges possible;

    synchronized void add(SkippedChanges skip) {
      if (skip.doubt() == null) {
        certain = skip;
      } else {
        possible = possible == null ? skip : possible.plus(skip);
      }
    }

    synchronized List<SkippedChanges> all() {
      return Stream.of(certain, possible)
          .flatMap(skip -> skip == null ? Stream.empty() : Stream.of(skip))
          .toList();
    }
  }

  /**
   * @param reports what each range has reported, by its index
   */
  private record Planned(
      Offset start,
      Offset end,
      LocalDateTime startedAt,
      int ranges,
      BatchMeasure marks,
      Map<Integer, RangeMeasure> reports,
      Skips gaps,
      List<SourceEvent> events)
      implements Batch {

    @Override
    public BatchMeasure measure() {
      return new BatchMeasure(
          total(),
          marks.roundTripMs(),
          marks.retentionWatermark(),
          marks.sourceMaxCommitTs(),
          marks.captureLagSeconds());
    }

    @Override
    public List<SkippedChanges> skips() {
      return gaps.all();
    }

    private @Nullable RangeMeasure total() {
      if (ranges == 0) {
        return marks.total();
      }
      return reports.size() < ranges
          ? null
          : reports.values().stream().reduce(RangeMeasure::plus).orElse(null);
    }
  }
}
