package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which capture instance of a table is read at which LSN: each from its first LSN on, up to where
 * the next one begins; the oldest also below.
 *
 * @param instances in the order of their creation, at least one
 */
record InstanceLine(List<CaptureInstance> instances) {

  InstanceLine {
    instances = List.copyOf(instances);
  }

  /**
   * @param all in the order of their creation; where capture has seen one, those that it hasn't
   *     seen yet have nothing to be read
   */
  static InstanceLine of(List<CaptureInstance> all) {
    List<CaptureInstance> begun =
        all.stream().filter(instance -> instance.startLsn() != null).toList();
    return new InstanceLine(begun.isEmpty() ? all.subList(0, 1) : begun);
  }

  /** Changes (after, through] of one instance. */
  record Span(CaptureInstance instance, Lsn after, Lsn through) {}

  CaptureInstance oldest() {
    return instances.get(0);
  }

  /** The one that has what follows a position. */
  CaptureInstance after(Lsn position) {
    CaptureInstance found = oldest();
    for (CaptureInstance instance : instances) {
      Lsn first = instance.startLsn();
      if (first != null && !first.isAfter(position.next())) {
        found = instance;
      }
    }
    return found;
  }

  /** (after, through] cut where instances begin: no span is empty, unless the whole is. */
  List<Span> split(Lsn after, Lsn through) {
    if (!through.isAfter(after)) {
      return List.of(new Span(after(after), after, through));
    }
    List<Span> spans = new ArrayList<>();
    Lsn from = after;
    for (int i = 0; i < instances.size(); i++) {
      Lsn end = i + 1 < instances.size() ? lastBefore(instances.get(i + 1), through) : through;
      if (end.isAfter(from)) {
        spans.add(new Span(instances.get(i), from, end));
        from = end;
      }
    }
    return spans;
  }

  /** The instances that take over from another one in (after, through]. */
  List<CaptureInstance> begunIn(Lsn after, Lsn through) {
    return Stream.iterate(1, i -> i < instances.size(), i -> i + 1)
        .map(instances::get)
        .filter(instance -> isIn(instance.startLsn(), after, through))
        .toList();
  }

  /** The one that an instance takes over from. */
  CaptureInstance before(CaptureInstance instance) {
    return instances.get(Math.max(0, instances.indexOf(instance) - 1));
  }

  private static boolean isIn(@Nullable Lsn lsn, Lsn after, Lsn through) {
    return lsn != null && lsn.isAfter(after) && !lsn.isAfter(through);
  }

  private static Lsn lastBefore(CaptureInstance next, Lsn through) {
    Lsn first = next.startLsn();
    return first == null || first.isAfter(through) ? through : first.previous();
  }
}
