package io.github.mssqlcdc.lsn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ChangeRangeTest {
  private static final Lsn ONE = new Lsn(0, 1);
  private static final Lsn TWO = new Lsn(0, 2);
  private static final Lsn FIVE = new Lsn(0, 5);
  private static final ChangePosition IN_TWO = new ChangePosition(TWO, 1, ONE, 2);
  private static final ChangePosition IN_FIVE = new ChangePosition(FIVE, 3, ONE, 2);

  @Test
  void aRangeOfWholeCommitsLeavesItsStartOut() {
    ChangeRange range = ChangeRange.commits(ONE, FIVE);

    assertThat(range.firstPossibleCommit()).isEqualTo(TWO);
    assertThat(range).hasToString("(" + ONE + ", " + FIVE + "]");
  }

  @Test
  void aRangeMayBeginAndEndInsideACommit() {
    assertThat(new ChangeRange(ONE, IN_TWO, FIVE, IN_FIVE))
        .hasToString("[" + IN_TWO + ", " + IN_FIVE + ")");
  }

  @Test
  void anEmptyRangeIsRefused() {
    assertThatThrownBy(() -> ChangeRange.commits(TWO, TWO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Empty range (" + TWO + ", " + TWO + "]");
  }

  @Test
  void aCutLiesInTheCommitAtItsEnd() {
    assertThatThrownBy(() -> new ChangeRange(TWO, IN_TWO, FIVE, null))
        .hasMessageContaining("can't start after " + TWO);
    assertThatThrownBy(() -> new ChangeRange(ONE, null, FIVE, IN_TWO))
        .hasMessageContaining("can't end at " + FIVE);
  }
}
