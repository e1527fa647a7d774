package io.github.mssqlcdc.source.stream;

import static io.github.mssqlcdc.testkit.source.FakeSqlServer.lsn;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.sqlserver.Head;
import io.github.mssqlcdc.sqlserver.HeadLimits;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.ServerClock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private static final LocalDateTime NOON = LocalDateTime.of(2026, 11, 1, 12, 0);
  private static final Offset START = new Offset(lsn(10), NOON.plusHours(3), NOON);
  private static final ServerClock CLOCK = new ServerClock(ZoneId.of("-03:00"));
  private static final HeadLimits NO_LIMITS = HeadLimits.NONE;

  private long nanos;
  private final Admission admission = new Admission(Duration.ofSeconds(60), () -> nanos);

  @Test
  void endsWithTheLastEntryAndItsTimes() {
    assertThat(admission.end(START, head(15, NOON.plusMinutes(5), true, false), NO_LIMITS))
        .isEqualTo(new Offset(lsn(15), NOON.plusHours(3).plusMinutes(5), NOON.plusMinutes(5)));
  }

  @Test
  void returnsTheStartWhenNothingFollows() {
    Head nothing = new Head(lsn(10), null, false, false, Duration.ZERO);
    Head same = head(10, NOON.plusMinutes(5), true, false);

    assertThat(admission.end(START, nothing, NO_LIMITS)).isSameAs(START);
    assertThat(admission.end(START, same, NO_LIMITS)).isSameAs(START);
  }

  @Test
  void carriesTheLargestTimeUpToTheEnd() {
    MapEntry end = new MapEntry(lsn(15), NOON.plusMinutes(1));
    LocalDateTime latest = NOON.plusHours(3).plusMinutes(2);
    Head head = new Head(lsn(15), new Head.End(end, latest, CLOCK), true, false, Duration.ZERO);

    assertThat(admission.end(START, head, NO_LIMITS))
        .isEqualTo(new Offset(lsn(15), NOON.plusHours(3).plusMinutes(2), NOON.plusMinutes(1)));
  }

  @Test
  void neverGoesBackInTime() {
    assertThat(admission.end(START, head(15, NOON.minusHours(1), true, false), NO_LIMITS))
        .isEqualTo(new Offset(lsn(15), NOON.plusHours(3), NOON.minusHours(1)));
  }

  @Test
  void makesBatchesWithoutRowsAtMostOnceAnInterval() {
    assertThat(idle(15)).isNotEqualTo(START);
    nanos = Duration.ofSeconds(59).toNanos();
    assertThat(idle(16)).isEqualTo(START);
    nanos = Duration.ofSeconds(60).toNanos();
    assertThat(idle(16).lsn()).isEqualTo(lsn(16));
  }

  @Test
  void holdsNoBatchWithRowsBack() {
    idle(15);

    assertThat(admission.end(START, head(16, NOON, true, false), NO_LIMITS).lsn())
        .isEqualTo(lsn(16));
  }

  @Test
  void holdsNoBatchBackThatACapHasCut() {
    idle(15);

    assertThat(admission.end(START, head(16, NOON, false, true), NO_LIMITS).lsn())
        .isEqualTo(lsn(16));
  }

  @Test
  void holdsNothingBackUnderAvailableNow() {
    HeadLimits target = new HeadLimits(lsn(20), null, null);
    idle(15);

    assertThat(admission.end(START, head(16, NOON, false, false), target).lsn()).isEqualTo(lsn(16));
  }

  private Offset idle(int end) {
    return admission.end(START, head(end, NOON, false, false), NO_LIMITS);
  }

  private static Head head(int end, LocalDateTime at, boolean hasRows, boolean cut) {
    return new Head(
        lsn(cut ? end + 1 : end),
        new Head.End(new MapEntry(lsn(end), at), CLOCK.toUtc(at), CLOCK),
        hasRows,
        cut,
        Duration.ofMillis(1));
  }
}
