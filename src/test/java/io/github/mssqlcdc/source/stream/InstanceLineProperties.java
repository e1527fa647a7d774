package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.source.stream.InstanceLine.Span;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import java.time.LocalDateTime;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

class InstanceLineProperties {
  private static final LocalDateTime CREATED = LocalDateTime.of(2026, 11, 1, 12, 0);

  @Property
  void everyPositionIsReadOnceAndByTheNewestThatHasIt(
      @ForAll @IntRange(min = 1, max = 20) int older,
      @ForAll @IntRange(min = 1, max = 20) int newer,
      @ForAll @IntRange(min = 1, max = 20) int after,
      @ForAll @IntRange(min = 1, max = 20) int length) {
    InstanceLine line = InstanceLine.of(List.of(instance(1, lsn(older)), instance(2, lsn(newer))));

    List<Span> spans = line.split(lsn(after), lsn(after + length));

    assertThat(spans).isNotEmpty().allMatch(span -> span.through().isAfter(span.after()));
    assertThat(spans.get(0).after()).isEqualTo(lsn(after));
    assertThat(spans.get(spans.size() - 1).through()).isEqualTo(lsn(after + length));
    for (int at = after + 1; at <= after + length; at++) {
      Lsn position = lsn(at);
      List<Span> having =
          spans.stream()
              .filter(span -> position.isAfter(span.after()) && !position.isAfter(span.through()))
              .toList();
      assertThat(having).hasSize(1);
      assertThat(having.get(0).instance().changeTableId()).isEqualTo(at >= newer ? 2 : 1);
      assertThat(line.after(position.previous())).isEqualTo(having.get(0).instance());
    }
  }

  @Property
  void oneThatCaptureHasNotSeenHasNothing(@ForAll @IntRange(min = 1, max = 20) int through) {
    InstanceLine line = InstanceLine.of(List.of(instance(1, lsn(1)), instance(2, null)));

    assertThat(line.split(lsn(0), lsn(through)))
        .extracting(span -> span.instance().changeTableId())
        .containsExactly(1);
  }

  private static CaptureInstance instance(int id, @Nullable Lsn first) {
    return new CaptureInstance(
        "v" + id, "dbo", "orders", id, 9, first, CREATED.plusDays(id), List.of("id"));
  }

  private static Lsn lsn(int number) {
    return new Lsn(0, number);
  }
}
