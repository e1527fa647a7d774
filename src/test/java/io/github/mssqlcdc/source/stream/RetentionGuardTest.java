package io.github.mssqlcdc.source.stream;

import static io.github.mssqlcdc.testkit.source.FakeSqlServer.lsn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.source.stream.RetentionGuard.OnLoss;
import org.junit.jupiter.api.Test;

class RetentionGuardTest {
  private final RetentionGuard guard = new RetentionGuard("dbo_orders", OnLoss.FAIL);

  @Test
  void passesWhileMinLsnIsNotAboveTheFirstPossibleCommit() {
    assertThat(guard.lostBelow(lsn(5), lsn(5), () -> LossCause.UNKNOWN)).isNull();
    assertThat(guard.lostBelow(lsn(5), lsn(4), () -> LossCause.UNKNOWN)).isNull();
  }

  @Test
  void failsWhenMinLsnIsAboveTheFirstPossibleCommit() {
    assertThatThrownBy(() -> guard.lostBelow(lsn(5), lsn(5).next(), () -> LossCause.UNKNOWN))
        .isInstanceOf(DataLossException.class)
        .hasMessageContaining("dbo_orders")
        .hasMessageContaining("from " + lsn(5))
        .hasMessageContaining("min LSN is " + lsn(5).next())
        .hasMessageContaining("CDC cleanup")
        .hasMessageContaining("A new snapshot is required")
        .hasMessageContaining("failOnDataLoss=false");
  }

  @Test
  void skipsToMinLsnOnRequest() {
    RetentionGuard skipping = new RetentionGuard("dbo_orders", OnLoss.SKIP);

    assertThat(skipping.lostBelow(lsn(5), lsn(7), () -> LossCause.UNKNOWN)).isEqualTo(lsn(7));
    assertThat(skipping.lostBelow(lsn(5), lsn(5), () -> LossCause.UNKNOWN)).isNull();
  }

  @Test
  void namesTheCausesOfAMissingMinLsn() {
    for (Lsn none : new Lsn[] {null, Lsn.ZERO}) {
      assertThatThrownBy(() -> guard.lostBelow(lsn(5), none, () -> LossCause.UNKNOWN))
          .isInstanceOfSatisfying(
              CdcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_FAILED))
          .isNotInstanceOf(DataLossException.class)
          .hasMessageContaining("disabled")
          .hasMessageContaining("rights")
          .hasMessageContaining("capture");
    }
  }

  @Test
  void failsAsTransientWhenTheServerIsBehind() {
    assertThatThrownBy(() -> guard.requireReached(lsn(4), lsn(5)))
        .isInstanceOf(SourceBehindException.class)
        .hasMessageContaining("up to " + lsn(5))
        .hasMessageContaining("up to " + lsn(4) + " only");
    assertThatCode(() -> guard.requireReached(lsn(5), lsn(5))).doesNotThrowAnyException();
  }

  @Test
  void namesTheCausesOfAnEmptyMap() {
    assertThatThrownBy(() -> guard.requireReached(null, lsn(5)))
        .isInstanceOf(CdcException.class)
        .isNotInstanceOf(SourceBehindException.class)
        .hasMessageContaining("LSN map is empty")
        .hasMessageContaining("restored");
  }
}
