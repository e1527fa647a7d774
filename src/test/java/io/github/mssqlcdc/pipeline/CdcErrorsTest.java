package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.SchemaChangedException;
import org.junit.jupiter.api.Test;

final class CdcErrorsTest {

  @Test
  void anErrorIsKnownThroughItsWrappers() {
    Throwable wrapped =
        new RuntimeException("Query failed", new IllegalStateException(new DataLossException("x")));
    assertThat(CdcErrors.isDataLoss(wrapped)).isTrue();
    assertThat(CdcErrors.isSchemaChanged(wrapped)).isFalse();
    assertThat(CdcErrors.isSchemaChanged(new SchemaChangedException("y"))).isTrue();
  }

  @Test
  void anErrorIsKnownAsMereText() {
    Throwable text =
        new RuntimeException(
            "Job aborted: io.github.mssqlcdc.error.DataLossException: changes are gone");
    assertThat(CdcErrors.isDataLoss(text)).isTrue();
  }

  @Test
  void othersAreNot() {
    assertThat(CdcErrors.isDataLoss(null)).isFalse();
    assertThat(CdcErrors.isDataLoss(new RuntimeException("no"))).isFalse();
    RuntimeException loop = new RuntimeException("a");
    loop.initCause(new RuntimeException("b", loop));
    assertThat(CdcErrors.isDataLoss(loop)).isFalse();
  }
}
