package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server whose certificate nobody knows, as a new one has. */
class CertificateTest {
  private final StandIn server = StandIn.start();
  private final ClientFixture fixture = new ClientFixture(StandInDatabase.create(server));

  @AfterEach
  void close() {
    fixture.close();
    server.close();
  }

  @Test
  void anUnknownCertificateIsToldWithTwoLinesOfAdvice() {
    assertThatThrownBy(connect("jdbc.trustServerCertificate", "false")::maxLsn)
        .isInstanceOf(CdcException.class)
        .extracting(failure -> ((CdcException) failure).code())
        .isEqualTo(ErrorCode.CONNECTION_FAILED);
    assertThatThrownBy(connect("jdbc.trustServerCertificate", "false")::maxLsn)
        .hasMessageStartingWith("Cannot connect (server localhost:")
        .hasMessageContaining("PKIX path building failed")
        .extracting(failure -> String.valueOf(failure.getMessage()).lines().toList())
        .satisfies(lines -> assertThat(lines).hasSize(3))
        .satisfies(
            lines ->
                assertThat(lines.subList(1, 3))
                    .satisfiesExactly(
                        line -> assertThat(line).contains("'jdbc.trustStore'"),
                        line -> assertThat(line).contains("any certificate is taken")));
  }

  @Test
  void aTrustStoreGivenAsDriverPropertiesIsUsed() {
    SqlServer client =
        connect(
            "jdbc.trustStore",
            server.trustStore().toString(),
            "jdbc.trustStoreType",
            "PKCS12",
            "jdbc.trustStorePassword",
            server.trustStorePassword());

    assertThat(client.captureInstance("dbo_orders").keyColumns()).isEqualTo(List.of("id"));
  }

  private SqlServer connect(String... more) {
    String[] all = new String[more.length + 2];
    all[0] = "url";
    all[1] = fixture.database.url().replace(";encrypt=false", ";encrypt=true");
    System.arraycopy(more, 0, all, 2, more.length);
    return fixture.connect(fixture.database.user(), fixture.database.password(), all);
  }
}
