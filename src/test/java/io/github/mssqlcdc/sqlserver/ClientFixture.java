package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.Retry;
import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.contract.TestLogin;
import io.github.mssqlcdc.testkit.source.OpenRows;
import io.github.mssqlcdc.type.SelectColumn;
import io.github.mssqlcdc.type.SqlType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A database with a tracked table {@code dbo.orders}, and clients of it. */
final class ClientFixture implements AutoCloseable {
  static final List<SelectColumn> COLUMNS = SelectColumn.plain(List.of("id", "name"));

  final TestDatabase database;
  final SqlServer client;

  ClientFixture() {
    this(TestDatabases.create());
  }

  /** Closing the fixture closes the database. */
  ClientFixture(TestDatabase database) {
    this.database = database;
    this.client = connect(database.user(), database.password());
    database.run(
        "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = NULL");
    database.awaitCapture();
  }

  /** Options of a stream, some of them set. */
  Map<String, String> options(String... namesAndValues) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_orders");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return options;
  }

  /** A client with some options set. */
  SqlServer connect(String user, String password, String... namesAndValues) {
    Map<String, String> options = options(namesAndValues);
    options.putAll(Map.of("user", user, "password", password));
    return SqlServers.connect(
        StreamOptions.parse(options).source(),
        Duration.ZERO,
        new Retry(ErrorNumbers::mayPass, retry -> Duration.ZERO));
  }

  /** A client as this login, some options set. */
  SqlServer connect(TestLogin login, String... namesAndValues) {
    return connect(login.name(), login.password(), namesAndValues);
  }

  /** Runs each batch as a commit of its own, then captures. */
  void commit(String... batches) {
    database.run(batches);
    database.awaitCapture();
  }

  CaptureInstance orders() {
    return client.captureInstance("dbo_orders");
  }

  /** Just before the first change the instance may hold. */
  static Lsn start(CaptureInstance instance) {
    return Objects.requireNonNull(instance.startLsn()).previous();
  }

  /** Rows of the table by their ids: [lo, hi). */
  static KeyRange ids(@Nullable Long lo, @Nullable Long hi) {
    return new KeyRange(
        List.of(new KeyColumn("id", new SqlType("int", 0, 0, 0), null)), bound(lo), bound(hi));
  }

  private static @Nullable KeyBound bound(@Nullable Long id) {
    return id == null ? null : KeyBound.of(id.toString());
  }

  Lsn maxLsn() {
    return client.maxLsn().orElseThrow();
  }

  List<Change> changes(CaptureInstance instance, ChangeRange range) throws SQLException {
    List<Change> changes = new ArrayList<>();
    try (OpenRows cursor = OpenRows.of(client.readChanges(instance, range, COLUMNS))) {
      while (cursor.next()) {
        changes.add(Change.of(cursor.row()));
      }
      cursor.tail();
    }
    return changes;
  }

  @Override
  public void close() {
    database.close();
  }

  /** A change row. */
  record Change(ChangePosition position, @Nullable Integer id, @Nullable String name) {
    static Change of(ResultSet row) throws SQLException {
      ChangePosition position =
          new ChangePosition(
              Lsn.of(row.getBytes(1)),
              Results.integer(row, 2),
              Lsn.of(row.getBytes(3)),
              row.getInt(4));
      return new Change(position, Results.integer(row, 6), row.getString(7));
    }

    /** Operation and values, for what a person expects. */
    String text() {
      return position.operation() + " " + id + " " + name;
    }
  }
}
