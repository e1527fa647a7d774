package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.MissingGrantException;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.contract.TestLogin;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The facade as a login that has the two grants and the gating role, and what each lack does. */
@Tag("spark")
final class LeastPrivilegeContractTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();
  private final TestDatabase database = TestDatabases.create();
  private final TestLogin login = database.createLogin("the reader");

  @BeforeEach
  void prepare() {
    database.run(
        "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL)",
        "INSERT INTO dbo.orders VALUES (1, N'a'), (2, N'b')",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = N'order readers'",
        "GRANT SELECT ON dbo.orders TO [the reader]",
        "GRANT SELECT ON cdc.dbo_orders_CT TO [the reader]",
        "ALTER ROLE [order readers] ADD MEMBER [the reader]");
    database.awaitCapture();
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void aBootstrapBeforeAnyChangeAndTheStreamAfterItNeedNoMore() throws Exception {
    request().bootstrap(true).start().awaitTermination();
    database.run(
        "UPDATE dbo.orders SET name = N'c' WHERE id = 2", "DELETE FROM dbo.orders WHERE id = 1");
    database.awaitCapture();
    request().bootstrap(true).start().awaitTermination();

    assertThat(
            spark
                .sql(
                    "SELECT _operation, id, name FROM delta.`"
                        + path("bronze")
                        + "` ORDER BY _start_lsn, _operation, id")
                .collectAsList())
        .extracting(row -> row.mkString("|"))
        .containsExactly("0|1|a", "0|2|b", "3|2|b", "4|2|c", "1|1|a");
  }

  @Test
  void eachLackEndsTheStartWithItsStatementAndLeavesNothing() {
    for (List<String> lack :
        List.of(
            List.of(
                "REVOKE SELECT ON dbo.orders FROM [the reader]",
                "GRANT SELECT ON [dbo].[orders] TO [the reader]",
                ""),
            List.of(
                "REVOKE SELECT ON cdc.dbo_orders_CT FROM [the reader]",
                "GRANT SELECT ON [cdc].[dbo_orders_CT] TO [the reader]",
                ""),
            List.of(
                "ALTER ROLE [order readers] DROP MEMBER [the reader]",
                "ALTER ROLE [order readers] ADD MEMBER [the reader]",
                "ALTER ROLE [<gating role>] ADD MEMBER [the reader]"))) {
      database.run(lack.get(0));
      assertThatThrownBy(request().bootstrap(true)::start)
          .describedAs(lack.get(0))
          .isInstanceOf(MissingGrantException.class)
          .hasMessageContaining("Ask for " + (lack.get(2).isEmpty() ? lack.get(1) : lack.get(2)));
      assertThat(folder).isEmptyDirectory();
      database.run(lack.get(1));
    }
  }

  private DeltaStreamRequest request() {
    Map<String, String> options = new HashMap<>(database.options());
    options.putAll(
        Map.of(
            "user", login.name(), "password", login.password(), "captureInstance", "dbo_orders"));
    return CdcStream.of(spark, options)
        .toDelta(path("bronze"))
        .appId("orders-v1")
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .trigger(Trigger.AvailableNow());
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }
}
