package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Before capture runs: on the stand-in only, where a test can hold capture back. */
class UncapturedInstanceTest {
  private final StandIn server = StandIn.builder().manualCapture().start();
  private final ClientFixture fixture = new ClientFixture(StandInDatabase.create(server));

  @AfterEach
  void close() {
    fixture.close();
    server.close();
  }

  @Test
  void anInstanceThatCaptureHasNotSeenHasNoStamp() {
    fixture.database.run(
        "CREATE TABLE dbo.fresh (id int NOT NULL PRIMARY KEY)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'fresh',"
            + " @role_name = NULL");
    CaptureInstance fresh = fixture.client.captureInstance("dbo_fresh");

    assertThat(fresh.startLsn()).isNull();
    assertThatThrownBy(() -> fixture.client.snapshotStamp(fresh))
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Cannot read capture instance dbo_fresh: it has no first LSN yet")
        .hasMessageContaining("Retry once the capture job has run")
        .extracting(failure -> ((CdcException) failure).code())
        .isEqualTo(ErrorCode.CAPTURE_NOT_STARTED);
  }
}
