package io.github.mssqlcdc.testkit.sqlserver.tds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class EncryptionTest {

  @Test
  void trustedServerCertificateConnects() throws Exception {
    try (TdsTestServer tds = new TdsTestServer()) {
      roundTrip(tds, "encrypt=true;trustServerCertificate=true;databaseName=db");
    }
  }

  @Test
  void trustStoreConnectsWithHostNameChecked() throws Exception {
    try (TdsTestServer tds = new TdsTestServer()) {
      roundTrip(tds, "encrypt=true;databaseName=db;" + trust(tds));
    }
  }

  @Test
  void untrustedCertificateFailsOnItsPath() {
    try (TdsTestServer tds = new TdsTestServer()) {
      assertThatThrownBy(() -> tds.connect("encrypt=true;databaseName=db"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("PKIX path building failed");
      assertThat(tds.backend.logins).isEmpty();
    }
  }

  @Test
  void strictConnectsOverTds8() throws Exception {
    try (TdsTestServer tds = new TdsTestServer()) {
      roundTrip(tds, "encrypt=strict;databaseName=db;" + trust(tds));
    }
  }

  @Test
  void requiredEncryptionTurnsPlainClientsAway() throws Exception {
    try (TdsTestServer tds = new TdsTestServer(Encryption.REQUIRED)) {
      roundTrip(tds, "encrypt=true;trustServerCertificate=true;databaseName=db");
      roundTrip(tds, "encrypt=false;trustServerCertificate=true;databaseName=db");
    }
  }

  @Test
  void offRefusesEncryptedClients() throws Exception {
    try (TdsTestServer tds = new TdsTestServer(Encryption.OFF)) {
      roundTrip(tds, "encrypt=false;databaseName=db");
      assertThatThrownBy(
              () -> tds.connect("encrypt=true;trustServerCertificate=true;databaseName=db"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("SSL");
    }
  }

  private static String trust(TdsTestServer tds) {
    return "trustStoreType=PKCS12;trustStore="
        + tds.server.trustStore()
        + ";trustStorePassword="
        + tds.server.trustStorePassword();
  }

  private static void roundTrip(TdsTestServer tds, String properties) throws SQLException {
    try (Connection connection = tds.connect(properties);
        Statement statement = connection.createStatement()) {
      try (ResultSet rows = statement.executeQuery("SELECT 1")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(1);
      }
      statement.execute("PRINT '" + "x".repeat(100_000) + "'");
    }
  }
}
