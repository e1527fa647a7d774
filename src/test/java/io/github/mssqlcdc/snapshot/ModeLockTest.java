package io.github.mssqlcdc.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.snapshot.SnapshotEnd.How;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ModeLockTest {
  private static final Lsn S = new Lsn(0, 5);

  private static SnapshotOpen open(int number, SnapshotMode mode) {
    return new SnapshotOpen(
        number, mode, Purpose.BOOTSTRAP, Offset.of(S), 0, List.of(), "bronze.orders", null, null);
  }

  private static final SnapshotOpen FULL = open(0, SnapshotMode.FULL);
  private static final SnapshotOpen CHUNKED = open(0, SnapshotMode.CHUNKED);

  private static SnapshotEnd end(int open, How how) {
    return new SnapshotEnd(open, how, 1L, 1L, 1, null);
  }

  private static SnapshotState torn(SnapshotOpen open, List<SnapshotEnd> ends, Lsn to) {
    return SnapshotState.of(
        List.of(open), ends, List.of(), List.of(new SnapshotState.Gap(0, to)), List.of());
  }

  private static ModeLock lock(List<SnapshotOpen> opens, SnapshotEnd... ends) {
    return new ModeLock(new SnapshotState(opens, List.of(ends)));
  }

  @Test
  void nothingOpenNothingHeld() {
    assertThatCode(() -> lock(List.of()).requireNone("seed", null)).doesNotThrowAnyException();
  }

  @Test
  void anOpenChunkedOneHoldsTheMode() {
    ModeLock lock = lock(List.of(CHUNKED));
    assertThatThrownBy(() -> lock.requireNoChunked("take a full snapshot of"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith(
            "Cannot take a full snapshot of 'bronze.orders': the chunked snapshot at " + S)
        .hasMessageContainingAll("generation 0", "open 0", "backfill", "abandonSnapshot");
    assertThatThrownBy(() -> lock.requireNone("seed", null)).hasMessageContaining("Cannot seed");
    assertThatCode(() -> lock.requireNoFull("x", null)).doesNotThrowAnyException();
  }

  @Test
  void anOpenFullOneHoldsItUntilCleanupHasPassedIt() {
    assertThatThrownBy(() -> lock(List.of(FULL)).requireNoFull("open a chunked snapshot of", null))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("SnapshotMode.FULL", "abandonSnapshot", "cleanup", S.toString());
    SnapshotState state = new SnapshotState(List.of(FULL), List.of());
    assertThatThrownBy(() -> new ModeLock(state).requireNoFull("x", S.next()))
        .isInstanceOf(InvalidRequestException.class);
    assertThatCode(() -> new ModeLock(state).requireNoFull("x", S.next().next()))
        .doesNotThrowAnyException();
  }

  @Test
  void aRowWithItsNumberOrANewerOneClosesIt() {
    assertThatCode(() -> lock(List.of(CHUNKED), end(0, How.COMPLETE)).requireNone("x", null))
        .doesNotThrowAnyException();
    assertThatCode(() -> lock(List.of(FULL), end(0, How.ABANDONED)).requireNone("x", null))
        .doesNotThrowAnyException();
    ModeLock later = lock(List.of(FULL, open(1, SnapshotMode.CHUNKED)), end(0, How.COMPLETE));
    assertThatThrownBy(() -> later.requireNoChunked("x")).hasMessageContaining("open 1");
    assertThatCode(() -> later.requireNoFull("x", null)).doesNotThrowAnyException();
  }

  @Test
  void ofOneNumberTheChunkedOneCounts() {
    assertThat(new SnapshotState(List.of(CHUNKED, FULL), List.of()).newest()).contains(CHUNKED);
    assertThat(new SnapshotState(List.of(FULL, CHUNKED), List.of()).chunked()).contains(CHUNKED);
  }

  @Test
  void aFullRunThatWasOvertakenStops() {
    assertThatCode(() -> lock(List.of(FULL)).requireOwn(FULL)).doesNotThrowAnyException();
    assertThatThrownBy(() -> lock(List.of(FULL, CHUNKED)).requireOwn(FULL))
        .isInstanceOf(CdcException.class)
        .hasMessageContainingAll("another run has opened the chunked snapshot", "Nothing of it");
    assertThatThrownBy(() -> lock(List.of(FULL, open(1, SnapshotMode.FULL))).requireOwn(FULL))
        .hasMessageContaining("open 1");
    assertThatThrownBy(() -> lock(List.of(FULL), end(0, How.ABANDONED)).requireOwn(FULL))
        .hasMessageContaining("given up by another run");
  }

  @Test
  void aGapAfterItGivesAChunkedOneUpUnlessItWasComplete() {
    Lsn at = S.next();
    SnapshotState torn = torn(CHUNKED, List.of(), at.next());
    assertThat(torn.chunked()).isEmpty();
    assertThat(torn(CHUNKED, List.of(), at).chunked()).contains(CHUNKED);
    assertThat(torn(CHUNKED, List.of(end(0, How.COMPLETE)), at.next()).chunked()).contains(CHUNKED);
    assertThat(torn(FULL, List.of(), at.next()).current()).contains(FULL);
  }

  @Test
  void aChunkedOneGivenUpIsNoneAndTheNextGetsTheNextNumber() {
    SnapshotState state = new SnapshotState(List.of(CHUNKED), List.of(end(0, How.ABANDONED)));
    assertThat(state.chunked()).isEmpty();
    assertThat(state.current()).isEmpty();
    assertThat(state.nextNumber()).isEqualTo(1);
    assertThat(state.isAbandoned(S)).isTrue();
    assertThat(new SnapshotState(List.of(CHUNKED), List.of()).isAbandoned(S)).isFalse();
    assertThat(new SnapshotState(List.of(), List.of()).isAbandoned(S)).isFalse();
  }
}
