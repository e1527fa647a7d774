package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.SchemaChangedException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.SourceEvent.SchemaChanged;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.source.stream.DirectStream.Batch;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DDL on a captured table, while its stream runs and while it doesn't. */
@SuppressWarnings("NullAway.Init")
class SchemaChangeContractTest {
  private static TestDatabase database;
  private String table;

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
    table = "t" + UUID.randomUUID().toString().substring(0, 8);
    database.run(
        "CREATE TABLE dbo."
            + table
            + " (id int NOT NULL PRIMARY KEY, name nvarchar(20), amount decimal(9,2))",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @role_name = NULL");
    database.awaitCapture();
  }

  @Test
  void addedAndDroppedColumnsGoOnWithAnEventEach() {
    insert("1, N'a', 1");
    String add = "ALTER TABLE dbo." + table + " ADD note nvarchar(10)";
    String drop = "ALTER TABLE dbo." + table + " DROP COLUMN name";
    DirectStream stream = stream();
    Offset position = last(stream.run(stream.begin()));
    database.run(add);
    insert("2, N'b', 2, N'x'");
    database.run(drop);
    insert("3, 3, N'y'");

    List<Batch> batches = stream.run(position);

    assertThat(batches)
        .flatExtracting(batch -> batch.texts("id", "name", "amount"))
        .containsExactly("2|b|2.00", "3|null|3.00");
    assertThat(batches)
        .flatExtracting(Batch::events)
        .extracting(event -> ((SchemaChanged) event).statement())
        .containsExactly(add, drop);
    assertThat(batches)
        .flatExtracting(Batch::events)
        .allSatisfy(
            event -> {
              assertThat(event.lsn()).isGreaterThan(position.lsn());
              assertThat(event.commitTs()).isNotNull().isAfterOrEqualTo(position.commitTs());
            });
    assertThat(stream().run(position))
        .as("in a new run, too")
        .flatExtracting(Batch::events)
        .hasSize(2);
  }

  @Test
  void eachStatementIsWarnedOfOnce() {
    DirectStream stream = stream();
    Offset position = stream.begin();
    database.run("ALTER TABLE dbo." + table + " ADD note nvarchar(10)");
    insert("1, N'a', 1, N'x'");
    Offset end = stream.next(position);

    try (CapturedLog log = CapturedLog.of(SchemaWatch.class)) {
      stream.plan(position, end);
      stream.plan(position, end);

      assertThat(log.warnings())
          .singleElement()
          .asString()
          .startsWith(
              "dbo." + table + " (capture instance dbo_" + table + "): the table was changed")
          .endsWith("ALTER TABLE dbo." + table + " ADD note nvarchar(10)");
    }
  }

  @Test
  void aTypeThatTheQueryDoesNotHoldStopsBeforeARowIsRead() {
    insert("1, N'a', 1");
    DirectStream stream = stream();
    Offset position = last(stream.run(stream.begin()));
    insert("2, N'b', 2");
    database.run("ALTER TABLE dbo." + table + " ALTER COLUMN amount decimal(12,4)");
    insert("3, N'c', 3.1234");

    assertThatThrownBy(() -> stream.run(position))
        .isInstanceOf(SchemaChangedException.class)
        .hasMessageContaining("dbo." + table)
        .hasMessageContaining("'amount'")
        .hasMessageContaining("DECIMAL(9,2)")
        .hasMessageContaining("DECIMAL(12,4)")
        .hasMessageContaining("Restart the query for a new schema");
    assertThat(stream().run(position))
        .as("restarted")
        .flatExtracting(batch -> batch.texts("id", "amount"))
        .containsExactly("2|2.0000", "3|3.1234");
  }

  @Test
  void aTypeThatTheQueryHoldsGoesOn() {
    DirectStream stream = stream("columns", "id BIGINT, amount DECIMAL(20,4)");
    Offset position = stream.begin();
    insert("1, N'a', 1");
    database.run("ALTER TABLE dbo." + table + " ALTER COLUMN amount decimal(12,4) NOT NULL");
    insert("2, N'b', 2.1234");

    List<Batch> batches = stream.run(position);

    assertThat(batches)
        .flatExtracting(batch -> batch.texts("id", "amount"))
        .containsExactly("1|1.0000", "2|2.1234");
    assertThat(batches).flatExtracting(Batch::events).hasSize(1);
  }

  @Test
  void aColumnThatBecomesLargeIsToldApartAtOnce() {
    database.run("ALTER TABLE dbo." + table + " ADD note nvarchar(max)");
    database.awaitCapture();
    Offset position = stream().begin();
    DirectStream without = stream();
    insert("1, N'a', 1, NULL");
    database.run("ALTER TABLE dbo." + table + " ALTER COLUMN name nvarchar(max)");
    insert("2, N'b', 2, NULL");
    database.run("UPDATE dbo." + table + " SET amount = 3 WHERE id = 2");
    database.awaitCapture();

    assertThatThrownBy(() -> without.run(position))
        .as("a query without _unknown_columns")
        .isInstanceOf(SchemaChangedException.class)
        .hasMessageContaining("_unknown_columns");
    assertThat(stream().run(position))
        .flatExtracting(batch -> batch.texts("_operation", "id", "_unknown_columns"))
        .contains("2|1|null", "2|2|null", "3|2|[name]");
  }

  @Test
  void underPolicyFailAnyDdlStops() {
    DirectStream stream = stream("schemaChangePolicy", "fail");
    Offset position = stream.begin();
    database.run("ALTER TABLE dbo." + table + " ADD note nvarchar(10)");
    insert("1, N'a', 1, NULL");

    for (DirectStream run : List.of(stream, stream("schemaChangePolicy", "fail"))) {
      assertThatThrownBy(() -> run.run(position))
          .isInstanceOf(SchemaChangedException.class)
          .hasMessageContaining("ADD note nvarchar(10)")
          .hasMessageContaining("'schemaChangePolicy' is fail");
    }
    assertThat(stream().run(position)).flatExtracting(Batch::ids).containsExactly(1);
  }

  @Test
  void aRenamedTableGoesOn() {
    insert("1, N'a', 1");
    DirectStream stream = stream();
    Offset position = last(stream.run(stream.begin()));
    database.run("EXEC sp_rename N'dbo." + table + "', N'" + table + "_renamed'");
    database.run("INSERT INTO dbo." + table + "_renamed VALUES (2, N'b', 2)");
    database.awaitCapture();

    assertThat(stream.run(position)).flatExtracting(Batch::ids).containsExactly(2);
    assertThat(stream().run(position)).flatExtracting(Batch::ids).containsExactly(2);
  }

  @Test
  void constraintsAndNotNullAreNoMatter() {
    DirectStream stream = stream();
    Offset position = stream.begin();
    database.run("ALTER TABLE dbo." + table + " ALTER COLUMN name nvarchar(20) NOT NULL");
    insert("1, N'a', 1");

    assertThat(stream.run(position)).flatExtracting(Batch::ids).containsExactly(1);
  }

  @Test
  void aStatementsTimeIsThatOfTheLastEntryUpToIt() {
    DirectStream stream = stream();
    Offset position = stream.begin();
    database.run("ALTER TABLE dbo." + table + " ADD note nvarchar(10)");
    insert("1, N'a', 1, NULL");

    List<Batch> batches = stream.run(position);

    var event = batches.get(0).events().get(0);
    assertThat(event.commitTs())
        .isEqualTo(stream.server.commitTs(stream.server.lastMapEntry(event.lsn()).orElseThrow()));
    Lsn between = event.lsn().next();
    assertThat(stream.server.lastMapEntry(between).orElseThrow().lsn())
        .isLessThanOrEqualTo(event.lsn());
  }

  private DirectStream stream(String... more) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_" + table);
    return new DirectStream(options, more);
  }

  private static Offset last(List<Batch> batches) {
    return batches.get(batches.size() - 1).end();
  }

  private void insert(String values) {
    database.run(
        "INSERT INTO dbo." + table + " VALUES (" + values + ")", "WAITFOR DELAY '00:00:00.010'");
    database.awaitCapture();
  }
}
