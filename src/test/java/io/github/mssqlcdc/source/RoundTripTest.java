package io.github.mssqlcdc.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts what a warm stream sends: only the stand-in can tell. */
@Tag("spark")
class RoundTripTest {

  @Test
  void aBatchTakesOnePollOnePlanAndOneReadPerRange(@TempDir Path folder) throws Exception {
    try (StandIn standIn = StandIn.builder().manualCapture().start();
        StandInDatabase database = StandInDatabase.create(standIn)) {
      database.run(
          "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY)",
          "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
              + " @role_name = NULL",
          "INSERT INTO dbo.orders VALUES (1)");
      database.awaitCapture();
      run(database, folder);
      database.run("INSERT INTO dbo.orders VALUES (2)");
      database.awaitCapture();
      standIn.clearRequests();

      run(database, folder);

      List<String> sent =
          standIn.requests().stream()
              .map(StandIn.Received::sql)
              // the rest is metadata, and the clock's zone, once per start
              .filter(sql -> sql.startsWith("SET TRANSACTION"))
              .toList();
      assertThat(sent).as("%s", sent).hasSize(5);
      assertThat(sent.get(0)).as("target").contains("SELECT @max AS max_lsn");
      assertThat(sent.get(1)).as("history").contains("tran_end_time");
      assertThat(sent.get(2)).as("poll").contains("AS has_rows");
      assertThat(sent.get(3)).as("plan").contains("AS row_count");
      assertThat(sent.get(4)).as("range").contains("FROM [cdc].[dbo_orders_CT] AS ct");
    }
  }

  private static void run(StandInDatabase database, Path folder) throws Exception {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_orders");
    VoidFunction2<Dataset<Row>, Long> count = (batch, id) -> batch.count();
    StreamingQuery query =
        TestSession.get()
            .readStream()
            .format("mssql_cdc")
            .options(options)
            .load()
            .writeStream()
            .trigger(Trigger.AvailableNow())
            .option("checkpointLocation", folder.resolve("checkpoint").toUri().toString())
            .foreachBatch(count)
            .start();
    query.awaitTermination();
  }
}
