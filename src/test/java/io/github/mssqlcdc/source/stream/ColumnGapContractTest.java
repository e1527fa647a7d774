package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.SourceEvent;
import io.github.mssqlcdc.metric.SourceEvent.ColumnGap;
import io.github.mssqlcdc.metric.SourceEvent.SchemaChanged;
import io.github.mssqlcdc.source.stream.DirectStream.Batch;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was written to a column before a capture instance had it. */
@SuppressWarnings("NullAway.Init")
final class ColumnGapContractTest {
  private TestDatabase database;

  @BeforeEach
  void open() {
    database = TestDatabases.create();
    run("CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, name nvarchar(20))");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void aColumnThatTheNewerBringsIsToldWithWhatNoneHas() {
    run(enable("dbo_orders", "id, name"), "INSERT INTO dbo.orders VALUES (1, N'a')");
    run(
        "ALTER TABLE dbo.orders ADD total int",
        "ALTER TABLE dbo.orders ADD kind int",
        "INSERT INTO dbo.orders VALUES (2, N'b', 20, 1)");
    run(enable("orders_v2", "id, name, total"), "INSERT INTO dbo.orders VALUES (3, N'c', 30, 1)");

    Batch crossing = crossing();
    Lsn added =
        crossing.events().stream()
            .filter(SchemaChanged.class::isInstance)
            .map(SourceEvent::lsn)
            .findFirst()
            .orElseThrow();
    assertThat(gaps(crossing))
        .singleElement()
        .satisfies(
            gap -> {
              assertThat(gap.column()).isEqualTo("total");
              assertThat(gap.to()).isEqualTo("orders_v2");
              assertThat(gap.from()).isEqualTo(added);
              assertThat(gap.lsn()).isEqualTo(firstLsn("orders_v2"));
              assertThat(gap.fromTs()).isNotNull().isBeforeOrEqualTo(gap.commitTs());
            });
  }

  @Test
  void ofAColumnThatWasThereBeforeNothingIsKnownFromItsBeginning() {
    run(enable("dbo_orders", "id"), "INSERT INTO dbo.orders VALUES (1, N'a')");
    run(enable("orders_v2", "id, name"), "INSERT INTO dbo.orders VALUES (2, N'b')");

    assertThat(gaps(crossing()))
        .singleElement()
        .satisfies(
            gap -> {
              assertThat(gap.column()).isEqualTo("name");
              assertThat(gap.from()).isNull();
            });
  }

  private static List<ColumnGap> gaps(Batch batch) {
    return batch.events().stream()
        .filter(ColumnGap.class::isInstance)
        .map(ColumnGap.class::cast)
        .toList();
  }

  private Batch crossing() {
    DirectStream stream = stream();
    List<Batch> batches = stream.run(stream.begin());
    assertThat(batches).hasSize(1);
    return batches.get(0);
  }

  private DirectStream stream() {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_orders");
    return new DirectStream(options);
  }

  private void run(String... statements) {
    for (String statement : statements) {
      database.run(statement, "WAITFOR DELAY '00:00:00.010'");
    }
    database.awaitCapture();
  }

  private static String enable(String instance, String columns) {
    return "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
        + " @capture_instance = N'"
        + instance
        + "', @role_name = NULL, @captured_column_list = N'"
        + columns
        + "'";
  }

  private Lsn firstLsn(String instance) {
    return Lsn.of(
        (byte[])
            database.query("SELECT sys.fn_cdc_get_min_lsn(N'" + instance + "')").get(0).get(0));
  }
}
