package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.CommandIds;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A stream, a snapshot and their tables, from each version of SQL Server, by a mere reader. */
@Tag("spark")
final class ServerVersionTest {
  private static final CdcSettings OLD = CdcSettings.defaults().with(CommandIds.NO_COLUMN);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();

  static Stream<Named<StandIn.Builder>> versions() {
    return Stream.of(
        Named.of("2016 without command ids", StandIn.builder().majorVersion(13).cdc(OLD)),
        Named.of("2016", StandIn.builder().majorVersion(13)),
        Named.of("2017", StandIn.builder().majorVersion(14)),
        Named.of("2019", StandIn.builder().majorVersion(15)),
        Named.of("2022", StandIn.builder().majorVersion(16)),
        Named.of("2025", StandIn.builder().majorVersion(17)),
        Named.of("Azure SQL Database", StandIn.builder().azure()));
  }

  @ParameterizedTest
  @MethodSource("versions")
  void changesAndSnapshotArrive(StandIn.Builder version) throws Exception {
    try (StandIn server = version.start();
        StandInDatabase database = StandInDatabase.create(server)) {
      prepare(database);
      CdcStream orders = CdcStream.of(spark, readersOptions(database));

      orders
          .toDelta(path("bronze"))
          .appId("orders-v1")
          .checkpoint(path("checkpoint"))
          .trigger(Trigger.AvailableNow())
          .start()
          .awaitTermination();
      orders.snapshot(path("snapshot")).run();
    }
    assertThat(rows("bronze", "_operation, id, name", "_start_lsn, _seqval, _operation"))
        .containsExactly("2|1|a", "2|2|b", "3|1|a", "4|1|c", "3|2|b", "4|2|c", "1|1|c", "2|3|d");
    assertThat(rows("snapshot", "_operation, id, name", "id")).containsExactly("0|2|c", "0|3|d");
  }

  private static void prepare(StandInDatabase database) {
    database.run(
        "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = N'cdc_readers'",
        "CREATE LOGIN reader WITH PASSWORD = 'Leser-geheim-1'",
        "CREATE USER reader FOR LOGIN reader",
        "GRANT SELECT ON dbo.orders TO reader",
        "GRANT SELECT ON cdc.dbo_orders_CT TO reader",
        "ALTER ROLE cdc_readers ADD MEMBER reader",
        "INSERT INTO dbo.orders VALUES (1, N'a'), (2, N'b')",
        "BEGIN TRAN; UPDATE dbo.orders SET name = N'c'; DELETE FROM dbo.orders WHERE id = 1; COMMIT",
        "INSERT INTO dbo.orders VALUES (3, N'd')");
    database.awaitCapture();
  }

  private static Map<String, String> readersOptions(StandInDatabase database) {
    Map<String, String> options = new HashMap<>(database.options());
    options.putAll(
        Map.of("user", "reader", "password", "Leser-geheim-1", "captureInstance", "dbo_orders"));
    return options;
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private List<String> rows(String table, String columns, String order) {
    return spark
        .sql("SELECT " + columns + " FROM delta.`" + path(table) + "` ORDER BY " + order)
        .collectAsList()
        .stream()
        .map(row -> row.mkString("|"))
        .toList();
  }
}
