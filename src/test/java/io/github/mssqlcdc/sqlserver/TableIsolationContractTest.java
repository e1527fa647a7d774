package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.testkit.source.OpenRows;
import io.github.mssqlcdc.type.SelectColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads of the source table while others write to it. */
@Timeout(60)
class TableIsolationContractTest {
  private static ClientFixture fixture;

  @BeforeAll
  static void open() {
    fixture = new ClientFixture();
    fixture.commit("INSERT INTO dbo.orders (id, name) VALUES (1, N'a')");
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  @Test
  void aReadThatWaitsTooLongForALockSaysWhichTableAndWhatToDo() throws SQLException {
    SqlServer client = connect("lockTimeoutMs", "50");
    try (Connection writer = fixture.database.connect();
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      statement.execute("UPDATE dbo.orders SET name = N'b' WHERE id = 1");

      assertThatThrownBy(() -> names(client))
          .isInstanceOfSatisfying(
              CdcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_FAILED))
          .hasMessageStartingWith("Failed to read table [dbo].[orders]: ")
          .hasMessageContaining("(error 1222; server ")
          .hasMessageContaining("than option 'lockTimeoutMs' allows, on each attempt: raise it");
      assertThatThrownBy(
              () -> client.keyExtents(fixture.orders(), List.of(ClientFixture.ids(null, null))))
          .hasMessageStartingWith("Failed to read the key range of [dbo].[orders]: ")
          .hasMessageContaining("lockTimeoutMs");
      assertThat(client.maxLsn()).isPresent();

      writer.rollback();
    }

    assertThat(names(client)).containsExactly("a");
  }

  @Test
  void whatABatchSetsEndsWithIt() throws SQLException {
    try (Connection connection = fixture.database.connect()) {
      try (PreparedStatement statement =
          Batch.of("SET LOCK_TIMEOUT 1500;")
              .add("SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED;")
              .add("SELECT @@LOCK_TIMEOUT AS inside;")
              .prepare(connection)) {
        assertThat(new Results(statement).nextRow().getInt(1)).isEqualTo(1500);
      }
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT @@LOCK_TIMEOUT")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getInt(1)).isEqualTo(-1);
      }
    }
  }

  @Test
  void snapshotIsolationReadsPastWritersWhereTheDatabaseAllowsIt() throws SQLException {
    SqlServer client = connect("isolationLevel", "snapshot");
    String database = "[" + fixture.database.query("SELECT DB_NAME()").get(0).get(0) + "]";
    fixture.database.run("ALTER DATABASE " + database + " SET ALLOW_SNAPSHOT_ISOLATION OFF");

    assertThatThrownBy(() -> names(client))
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Failed to read table [dbo].[orders]: ")
        .hasMessageContaining("(error 3952; server ")
        .hasMessageContaining("SET ALLOW_SNAPSHOT_ISOLATION ON, or set the option to readCommit");

    fixture.database.run("ALTER DATABASE " + database + " SET ALLOW_SNAPSHOT_ISOLATION ON");
    try (Connection writer = fixture.database.connect();
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      statement.execute("UPDATE dbo.orders SET name = N'b' WHERE id = 1");

      assertThat(names(client)).containsExactly("a");

      writer.rollback();
    }
  }

  private static SqlServer connect(String... options) {
    return fixture.connect(fixture.database.user(), fixture.database.password(), options);
  }

  private static List<String> names(SqlServer client) throws SQLException {
    List<String> names = new java.util.ArrayList<>();
    try (OpenRows cursor =
        OpenRows.of(
            client.readTable(
                fixture.orders(), SelectColumn.plain(List.of("name")), TablePart.WHOLE, null))) {
      while (cursor.next()) {
        names.add(cursor.row().getString(1));
      }
    }
    return names;
  }
}
