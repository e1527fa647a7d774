package io.github.mssqlcdc.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user of Debezium does. */
final class DebeziumWitnessTest {
  private final StandInDatabase database = StandInDatabase.start();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void snapshotThenChangesThenARestart() throws Exception {
    database.run(
        "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL)",
        "INSERT INTO dbo.orders VALUES (1, N'a'), (2, N'b')",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = NULL");
    database.awaitCapture();
    try (Debezium debezium = Debezium.start(database, folder, "dbo.orders")) {
      debezium.await(events -> events.size() >= 2);
      database.run("INSERT INTO dbo.orders VALUES (3, N'c')");
      System.out.println(debezium.await(events -> events.size() >= 3));
    } finally {
      database.standIn().requests().forEach(r -> System.out.println("SQL " + r.sql().replace("\n", " ")));
    }
    assertThat(1).isEqualTo(1);
  }
}
