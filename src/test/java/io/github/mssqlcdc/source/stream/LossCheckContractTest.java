package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.LossKind;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.source.stream.LossCheck.Loss;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import io.github.mssqlcdc.sqlserver.SqlServers;
import io.github.mssqlcdc.testkit.contract.RestorableDatabase;
import io.github.mssqlcdc.testkit.contract.RestorableDatabase.Cdc;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The ways to lose history, each done to a server, and what a stream's position tells of it. */
final class LossCheckContractTest {
  private static final String ENABLE =
      "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders', @role_name ="
          + " NULL";
  private static final String DISABLE =
      "EXEC sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'orders',"
          + " @capture_instance = N'dbo_orders'";
  private static final String CREATE = "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY)";

  private static TestDatabase filled(TestDatabase database) {
    // with its last instance a database loses the LSN map
    change(
        database,
        "CREATE TABLE dbo.other (id int NOT NULL PRIMARY KEY)",
        ENABLE.replace("orders", "other"),
        CREATE,
        ENABLE,
        "INSERT INTO dbo.orders VALUES (1)");
    return database;
  }

  private static void change(TestDatabase database, String... statements) {
    for (String statement : statements) {
      database.run(statement, "WAITFOR DELAY '00:00:00.010'");
    }
    database.awaitCapture();
  }

  private static SqlServer server(TestDatabase database) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_orders");
    return SqlServers.connect(StreamOptions.parse(options).source(), Duration.ofMillis(1));
  }

  /** Where a stream is that has read everything. */
  private static Offset position(TestDatabase database) {
    SqlServer server = server(database);
    SnapshotStamp stamp = server.snapshotStamp(server.captureInstance("dbo_orders"));
    return new Offset(
        stamp.lsn(), server.commitTs(Objects.requireNonNull(stamp.entry())), stamp.entry().at());
  }

  private static Optional<Loss> lost(TestDatabase database, Offset position) {
    SqlServer server = server(database);
    return new LossCheck(server, server.captureInstance("dbo_orders"), Duration.ofMillis(1))
        .after(position);
  }

  private static void purge(TestDatabase database) {
    byte[] max = (byte[]) database.query("SELECT sys.fn_cdc_get_max_lsn()").get(0).get(0);
    database.run(
        "EXEC sys.sp_cdc_cleanup_change_table @capture_instance = N'dbo_orders', @low_water_mark ="
            + " 0x"
            + HexFormat.of().formatHex(max));
  }

  @Test
  void nothingIsLostWhereTheNextChangeIsThereOrNothingFollows() {
    try (TestDatabase database = filled(TestDatabases.create())) {
      Offset position = position(database);
      assertThat(lost(database, position)).isEmpty();
      change(database, "INSERT INTO dbo.orders VALUES (2)");
      assertThat(lost(database, position)).isEmpty();
      // an instance that capture has not seen yet, and nothing captured after the position
      Offset end = position(database);
      database.run(DISABLE, ENABLE);
      Optional<Loss> loss = lost(database, end);
      // unless capture was quick
      if (!server(database).maxLsn().orElseThrow().isAfter(end.lsn())) {
        assertThat(loss).isEmpty();
      }
    }
  }

  @Test
  void cleanupIsTold() {
    try (TestDatabase database = filled(TestDatabases.create())) {
      Offset position = position(database);
      change(database, "INSERT INTO dbo.orders VALUES (2)", "INSERT INTO dbo.orders VALUES (3)");
      purge(database);

      Loss loss = lost(database, position).orElseThrow();
      assertThat(loss.kind()).isEqualTo(LossKind.RETENTION);
      assertThat(loss.position()).isEqualTo(position);
      assertThat(loss.to()).isAfter(position.commitTs());
      assertThat(loss.what()).contains("purged by CDC cleanup", "dbo_orders");
      assertThat(lost(database, Offset.of(position.lsn())).orElseThrow().kind())
          .as("a position without a time")
          .isEqualTo(LossKind.RETENTION);
    }
  }

  @Test
  void anInstanceCreatedAgainIsTold() {
    try (TestDatabase database = filled(TestDatabases.create())) {
      Offset position = position(database);
      change(database, DISABLE, "TRUNCATE TABLE dbo.orders", ENABLE);
      change(database, "INSERT INTO dbo.orders VALUES (2)");

      Loss loss = lost(database, position).orElseThrow();
      assertThat(loss.kind()).isEqualTo(LossKind.INSTANCE_RECREATED);
      assertThat(loss.what()).contains("the one that had the changes was disabled");
      assertThat(lost(database, Offset.of(position.lsn())).orElseThrow().kind())
          .isEqualTo(LossKind.INSTANCE_RECREATED);
    }
  }

  @Test
  void ofTwoInstancesTheOneIsAskedThatHasWhatFollows() {
    try (TestDatabase database = filled(TestDatabases.create())) {
      Offset early = position(database);
      change(database, "INSERT INTO dbo.orders VALUES (2)");
      change(database, ENABLE + ", @capture_instance = N'orders_2'");
      change(database, "INSERT INTO dbo.orders VALUES (3)");
      Offset late = position(database);
      change(database, "INSERT INTO dbo.orders VALUES (4)");
      assertThat(lost(database, early)).isEmpty();
      purge(database);

      assertThat(lost(database, early).orElseThrow().kind()).isEqualTo(LossKind.RETENTION);
      assertThat(lost(database, late)).as("the newer one has it").isEmpty();
      database.run(DISABLE);
      assertThat(lost(database, early).orElseThrow().kind()).isEqualTo(LossKind.INSTANCE_RECREATED);
      assertThat(lost(database, late)).isEmpty();
    }
  }

  @Test
  void aTableCreatedAgainIsTold() {
    try (TestDatabase database = filled(TestDatabases.create())) {
      Offset position = position(database);
      change(database, "DROP TABLE dbo.orders", CREATE, ENABLE);
      change(database, "INSERT INTO dbo.orders VALUES (2)");

      assertThat(lost(database, position).orElseThrow().kind()).isEqualTo(LossKind.TABLE_RECREATED);
    }
  }

  @Test
  void cdcEnabledAgainIsTold() {
    try (TestDatabase database = filled(TestDatabases.create())) {
      Offset position = position(database);
      change(database, "EXEC sys.sp_cdc_disable_db", "INSERT INTO dbo.orders VALUES (2)");
      change(database, "EXEC sys.sp_cdc_enable_db", ENABLE, "INSERT INTO dbo.orders VALUES (3)");

      assertThat(lost(database, position).orElseThrow().kind()).isEqualTo(LossKind.CDC_REENABLED);
    }
  }

  @Test
  void aRestoreIsToldWhileItIsBehindThePositionAndWhenItHasOvertakenIt() {
    try (RestorableDatabase database = new RestorableDatabase()) {
      filled(database);
      int backup = database.backup();
      change(database, "INSERT INTO dbo.orders VALUES (2)", "INSERT INTO dbo.orders VALUES (3)");
      Offset position = position(database);

      database.restore(backup, Cdc.KEPT);
      Offset restored = position(database);
      assertThat(restored.lsn()).isLessThan(position.lsn());
      assertThat(lost(database, restored)).as("what was read before the backup").isEmpty();
      Loss behind = lost(database, position).orElseThrow();
      assertThat(behind.kind()).isEqualTo(LossKind.RESTORED);
      assertThat(behind.what()).contains("restored to an earlier time");

      Lsn max = restored.lsn();
      for (int id = 10; !max.isAfter(position.lsn()); id++) {
        change(database, "INSERT INTO dbo.orders VALUES (" + id + ")");
        max = position(database).lsn();
      }
      assertThat(lost(database, position).orElseThrow().kind()).isEqualTo(LossKind.RESTORED);
    }
  }

  @Test
  void aRestoreWithoutCdcIsToldWhenCdcIsEnabledAgain() {
    try (RestorableDatabase database = new RestorableDatabase()) {
      filled(database);
      int backup = database.backup();
      change(database, "INSERT INTO dbo.orders VALUES (2)", "INSERT INTO dbo.orders VALUES (3)");
      for (int id = 30; id < 60; id++) {
        change(database, "INSERT INTO dbo.orders VALUES (" + id + ")");
      }
      Offset position = position(database);

      database.restore(backup, Cdc.REMOVED);
      change(database, "EXEC sys.sp_cdc_enable_db", ENABLE, "INSERT INTO dbo.orders VALUES (4)");

      assertThat(position(database).lsn()).isLessThan(position.lsn());
      assertThat(lost(database, position).orElseThrow().kind()).isEqualTo(LossKind.RESTORED);
    }
  }
}
