package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams that lose changes and go on by themselves, from T-SQL to Delta. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class ResnapshotContractTest {
  private static TestDatabase database;

  @TempDir private Path folder;
  private RecoveryFixture lake;

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void createTable() {
    String table = "t" + UUID.randomUUID().toString().substring(0, 8);
    lake = new RecoveryFixture(database, folder, table).create();
  }

  @Test
  void purgedChangesAreMadeGoodByANewSnapshotAndTheNextGeneration() throws Exception {
    lake.change("INSERT INTO $t VALUES (1, N'a'), (2, N'b')");
    lake.run(lake.recovering());
    lake.change("INSERT INTO $t VALUES (3, N'c')");
    lake.run(lake.recovering());
    lake.change("UPDATE $t SET name = N'x' WHERE id = 1", "DELETE FROM $t WHERE id = 2");
    lake.purge();
    lake.change("INSERT INTO $t VALUES (4, N'd')");

    assertThat(lake.run(lake.recovering())).isEqualTo("orders-v1.g1");

    lake.change("UPDATE $t SET name = N'y' WHERE id = 3");
    assertThat(lake.run(lake.toDelta(lake.stream()))).isEqualTo("orders-v1.g1");
    assertThat(lake.rebuilt()).isEqualTo(lake.source());
    assertThat(
            lake.sql(
                "SELECT app_id, batch_id, rows, get_json_object(detail, '$.cause'), lost_from_ts"
                    + " <= lost_to_ts, lost_to_ts = retention_watermark_ts FROM $facts WHERE event"
                    + " = 'resnapshot'"))
        .containsExactly("orders-v1.g1|null|3|retention|true|true");
    assertThat(
            lake.sql(
                "SELECT app_id, get_json_object(detail, '$.kind'), get_json_object(detail,"
                    + " '$.generation') FROM $facts WHERE event = 'snapshot_open' ORDER BY 3"))
        .containsExactly("orders-v1|bootstrap|0", "orders-v1.g1|resnapshot|1");
    assertThat(lake.sql("SELECT app_id FROM $facts WHERE event IS NULL GROUP BY 1 ORDER BY 1"))
        .containsExactly("orders-v1", "orders-v1.g1");
    assertThat(Files.readString(folder.resolve("checkpoint/_mssql_cdc_generation.json")))
        .matches("\\{\"generation\": 1, \"snapshot_lsn\": \"0x[0-9A-F]{20}\"}\n");
    assertThat(folder.resolve("checkpoint/_generations/1/offsets")).isNotEmptyDirectory();
  }
}
