package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.keyrange.TablePart;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LockTimeoutContractTest {
  private final ClientFixture fixture = new ClientFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aLockThatLastsIsToldWithTheTableAndAReadAfterItSucceeds() throws Exception {
    fixture.commit("INSERT INTO dbo.orders VALUES (1, N'a')");
    CaptureInstance orders = fixture.orders();
    SqlServer impatient =
        fixture.connect(
            fixture.database.user(), fixture.database.password(), "lockTimeoutMs", "20");

    try (Connection writer = fixture.database.connect();
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      statement.execute("UPDATE dbo.orders SET name = N'b'");
      assertThatThrownBy(
              () -> impatient.readTable(orders, ClientFixture.COLUMNS, TablePart.WHOLE, null))
          .isInstanceOf(CdcException.class)
          .hasMessageStartingWith("Failed to read table [dbo].[orders]: ")
          .hasMessageContaining("error 1222");
      writer.rollback();
    }
    try (RowCursor rows =
        impatient.readTable(orders, ClientFixture.COLUMNS, TablePart.WHOLE, null)) {
      assertThat(rows.next()).isTrue();
    }
  }
}
