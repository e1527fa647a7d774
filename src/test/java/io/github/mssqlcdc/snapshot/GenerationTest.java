package io.github.mssqlcdc.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.facts.SinkIds;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.snapshot.SnapshotEnd.How;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class GenerationTest {
  private static final LostChanges LOST = new LostChanges("retention", null, null);
  private static final LocalDateTime NOON = LocalDateTime.of(2026, 10, 1, 12, 0);

  private static SnapshotOpen open(
      int number, SnapshotMode mode, int generation, @Nullable LocalDateTime startedAt) {
    return new SnapshotOpen(
        number,
        mode,
        generation == 0 ? Purpose.BOOTSTRAP : Purpose.resnapshot(generation, LOST),
        at(number),
        0,
        List.of(),
        "bronze.orders",
        startedAt,
        null);
  }

  private static Offset at(int low) {
    return Offset.of(new Lsn(0, low));
  }

  private static SnapshotState state(List<SnapshotOpen> opens, Generation... completed) {
    return new SnapshotState(opens, List.of(), List.of(completed), List.of());
  }

  @Test
  void aStreamWithoutSnapshotsIsInItsFirst() {
    assertThat(state(List.of()).generation()).isEqualTo(Generation.FIRST);
    assertThat(Generation.FIRST.sinkId("orders-v1")).isEqualTo("orders-v1");
    assertThat(new Generation(12, at(1), 0).sinkId("orders-v1")).isEqualTo("orders-v1.g12");
    assertThat(SinkIds.generationOf("orders-v1.g12")).isEqualTo(12);
    assertThat(SinkIds.generationOf("orders-v1")).isZero();
  }

  @Test
  void aFullOneBeginsWhenItsSnapshotIsComplete() {
    SnapshotOpen open = open(1, SnapshotMode.FULL, 1, NOON);
    assertThat(state(List.of(open)).generation()).isEqualTo(Generation.FIRST);
    Generation first = new Generation(1, at(1), 0);
    assertThat(state(List.of(open), first).generation()).isEqualTo(first);
  }

  @Test
  void aChunkedOneBeginsWithItsOpen() {
    SnapshotOpen open = open(3, SnapshotMode.CHUNKED, 2, NOON);
    Generation first = new Generation(1, at(1), 0);
    assertThat(state(List.of(open), first).generation()).isEqualTo(new Generation(2, at(3), 0));
  }

  @Test
  void ofOneThatWasGivenUpTheCompleteSnapshotCountsElseTheNewerOpen() {
    SnapshotOpen givenUp = open(1, SnapshotMode.CHUNKED, 1, NOON);
    List<SnapshotEnd> ends = List.of(new SnapshotEnd(1, How.ABANDONED, null, null, 0, null));
    assertThat(new SnapshotState(List.of(givenUp), ends).generation().number()).isEqualTo(1);
    Generation full = new Generation(1, at(2), 0);
    assertThat(new SnapshotState(List.of(givenUp), ends, List.of(full), List.of()).generation())
        .isEqualTo(full);
    SnapshotOpen newer = open(4, SnapshotMode.CHUNKED, 1, NOON);
    assertThat(new SnapshotState(List.of(newer, givenUp), ends).generation().start())
        .isEqualTo(at(4));
  }

  @Test
  void whatBeganBeforeALossThatWasMadeGoodIsOpenNoMore() {
    SnapshotOpen chunked = open(0, SnapshotMode.CHUNKED, 0, NOON);
    assertThat(state(List.of(chunked)).current()).contains(chunked);
    SnapshotState later = state(List.of(chunked), new Generation(1, at(5), 0));
    assertThat(later.current()).isEmpty();
    assertThat(later.chunked()).isEmpty();
    SnapshotOpen full = open(1, SnapshotMode.FULL, 1, NOON);
    assertThat(state(List.of(chunked, full)).current()).contains(full);
  }

  @Test
  void failedAttemptsCountButABootstrapDoesNot() {
    assertThat(state(List.of(open(0, SnapshotMode.FULL, 0, NOON))).lastAttempt()).isEmpty();
    assertThat(
            state(
                    List.of(
                        open(1, SnapshotMode.FULL, 1, NOON.plusHours(1)),
                        open(2, SnapshotMode.CHUNKED, 1, NOON)))
                .lastAttempt())
        .contains(NOON.plusHours(1));
  }

  @Test
  void aSnapshotTakenAgainInAGenerationIsForWhatItsFirstOneWasFor() {
    SnapshotState none = state(List.of());
    assertThat(none.purposeIn(0)).isEqualTo(Purpose.BOOTSTRAP);
    assertThat(none.purposeIn(2).generation()).isEqualTo(2);
    SnapshotState later =
        state(List.of(open(1, SnapshotMode.CHUNKED, 1, NOON), onSwitch(5, SnapshotMode.FULL)));
    assertThat(later.purposeIn(1)).isEqualTo(Purpose.resnapshot(1, LOST));
    assertThat(later.purposeIn(0)).isEqualTo(Purpose.BOOTSTRAP);
  }

  @Test
  void whatAnEarlierGenerationSkippedTearsNoSnapshotOfALaterOne() {
    SnapshotOpen open = open(1, SnapshotMode.CHUNKED, 1, NOON);
    Lsn later = new Lsn(0, 9);
    assertThat(torn(open, new SnapshotState.Gap(0, later)).chunked()).contains(open);
    assertThat(torn(open, new SnapshotState.Gap(1, later)).chunked()).isEmpty();
  }

  private static SnapshotOpen onSwitch(int number, SnapshotMode mode) {
    return new SnapshotOpen(
        number, mode, Purpose.ofSwitch(0), at(number), 0, List.of(), "bronze.orders", NOON, null);
  }

  private static Optional<Lsn> unfilled(
      List<SnapshotOpen> opens, List<SnapshotEnd> ends, Generation... completed) {
    return new SnapshotState(
            opens,
            ends,
            List.of(completed),
            List.of(
                new SnapshotState.Gap(0, new Lsn(0, 3)), new SnapshotState.Gap(0, new Lsn(0, 4))))
        .unfilled();
  }

  private static SnapshotEnd end(int open, How how) {
    return new SnapshotEnd(open, how, 1L, 1L, 1, null);
  }

  @Test
  void columnsThatCameWithASwitchAreFilledByASnapshotAtItOrLater() {
    Optional<Lsn> gap = Optional.of(new Lsn(0, 4));
    assertThat(unfilled(List.of(), List.of())).isEqualTo(gap);
    SnapshotOpen before = onSwitch(3, SnapshotMode.FULL);
    assertThat(unfilled(List.of(before), List.of(end(3, How.COMPLETE)))).isEqualTo(gap);
    SnapshotOpen full = onSwitch(4, SnapshotMode.FULL);
    assertThat(unfilled(List.of(full), List.of())).as("being read").isEqualTo(gap);
    assertThat(unfilled(List.of(full), List.of(end(4, How.COMPLETE)))).isEmpty();
    SnapshotOpen chunked = onSwitch(5, SnapshotMode.CHUNKED);
    assertThat(unfilled(List.of(chunked), List.of())).as("open").isEmpty();
    assertThat(unfilled(List.of(chunked), List.of(end(5, How.ABANDONED)))).isEqualTo(gap);
    assertThat(unfilled(List.of(), List.of(), new Generation(1, at(9), 0)))
        .as("the next generation began with one")
        .isEmpty();
  }

  @Test
  void oneOnASwitchBeginsNoGenerationAndLeavesWhatWasCompleteIfItIsGivenUp() {
    SnapshotOpen first = open(1, SnapshotMode.CHUNKED, 0, NOON);
    SnapshotOpen second = onSwitch(5, SnapshotMode.CHUNKED);
    List<SnapshotOpen> both = List.of(first, second);
    SnapshotState open = new SnapshotState(both, List.of(end(1, How.COMPLETE)));
    assertThat(open.generation()).isEqualTo(new Generation(0, at(1), 0));
    assertThat(open.current()).contains(second);
    assertThat(open.chunked()).contains(second);
    SnapshotState givenUp =
        new SnapshotState(both, List.of(end(1, How.COMPLETE), end(5, How.ABANDONED)));
    assertThat(givenUp.current()).isEmpty();
    assertThat(givenUp.chunked()).contains(first);
    assertThat(new SnapshotState(both, List.of(end(5, How.ABANDONED))).chunked())
        .as("the first one was replaced before it was complete")
        .isEmpty();
    SnapshotOpen full = onSwitch(6, SnapshotMode.FULL);
    assertThat(new SnapshotState(List.of(first, full), List.of(end(1, How.COMPLETE))).chunked())
        .contains(first);
  }

  private static SnapshotState torn(SnapshotOpen open, SnapshotState.Gap gap) {
    return SnapshotState.of(List.of(open), List.of(), List.of(), List.of(gap), List.of());
  }
}
