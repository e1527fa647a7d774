package io.github.mssqlcdc.sqlserver;

import static io.github.mssqlcdc.testkit.contract.Fact.Known.INFERRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.ClientFixture.Change;
import io.github.mssqlcdc.testkit.contract.Fact;
import io.github.mssqlcdc.testkit.contract.FactReport;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the library's statements cost the server in pages, as {@code SET STATISTICS IO} tells it.
 * The stand-in tells nothing.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(FactReport.class)
@ExtendWith(FactReport.class)
class SeekFactsContractTest {
  private static final Pattern READS = Pattern.compile("Table '([^']+)'.*?logical reads (\\d+)");
  private static final int ROWS = 20_000;

  private final ClientFixture fixture = new ClientFixture();

  @BeforeAll
  void fill() throws SQLException {
    assumeTrue(
        reads(Batch.of("SELECT COUNT(*) FROM dbo.orders;"), "orders") != null,
        "This server tells no logical reads, or not in English");
    // in one commit, so that only a seek inside it finds a part of it
    fixture.commit(
        "WITH n AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM n WHERE i < "
            + (ROWS - 1)
            + ") INSERT INTO dbo.orders (id, name) SELECT i, REPLICATE(N'x', 50) FROM n OPTION"
            + " (MAXRECURSION 0)");
  }

  @AfterAll
  void close() {
    fixture.close();
  }

  @Fact(
      id = "READ-1",
      value = "a range inside a commit is sought: a tenth of the change table's pages at most",
      known = INFERRED)
  void rangeInsideACommit() throws SQLException {
    CaptureInstance orders = fixture.orders();
    Lsn start = ClientFixture.start(orders);
    List<Change> changes = fixture.changes(orders, ChangeRange.commits(start, fixture.maxLsn()));
    ChangePosition from = changes.get(ROWS / 2).position();
    ChangePosition before = changes.get(ROWS / 2 + 100).position();
    ChangeRange range = new ChangeRange(from.commit().previous(), from, before.commit(), before);

    assertSought(
        ChangeSql.range(new ChangeTable(orders), range, ClientFixture.COLUMNS, "0"),
        "dbo_orders_CT",
        "cdc.dbo_orders_CT");
  }

  @Fact(
      id = "READ-2",
      value = "the key at which 100 rows end is sought: a tenth of the table's pages at most",
      known = INFERRED)
  void keySeek() throws SQLException {
    Batch batch = new Batch();
    KeyBound from = KeyBound.of(String.valueOf(ROWS / 2));
    new SeekSql(
            "[dbo].[orders]",
            new KeySeek(ClientFixture.ids(null, null).columns(), List.of(), from, 100))
        .addTo(batch);

    assertSought(batch, "orders", "dbo.orders");
  }

  private void assertSought(Batch batch, String table, String name) throws SQLException {
    Integer all = reads(Batch.of("SELECT COUNT(*) FROM " + name + " WITH (INDEX(1));"), table);
    Integer sought = reads(batch, table);

    assertThat(all).describedAs("Logical reads of a scan of %s", name).isGreaterThan(100);
    assertThat(sought).describedAs("Logical reads, %s of a scan", all).isNotNull();
    assertThat(Objects.requireNonNull(sought) * 10)
        .describedAs("Logical reads times ten")
        .isLessThanOrEqualTo(Objects.requireNonNull(all));
  }

  /** Pages of the table that a batch reads; null: the server doesn't say. */
  private @Nullable Integer reads(Batch batch, String table) throws SQLException {
    try (Connection connection = fixture.database.connect();
        Statement settings = connection.createStatement()) {
      if (!switchOn(settings)) {
        return null;
      }
      try (PreparedStatement statement = batch.prepare(connection)) {
        Integer sum = null;
        boolean rows = statement.execute();
        while (rows || statement.getUpdateCount() != -1) {
          if (rows) {
            drain(statement);
          }
          rows = statement.getMoreResults();
        }
        for (SQLWarning w = statement.getWarnings(); w != null; w = w.getNextWarning()) {
          Matcher told = READS.matcher(String.valueOf(w.getMessage()));
          if (told.find() && told.group(1).equals(table)) {
            sum = (sum == null ? 0 : sum) + Integer.parseInt(told.group(2));
          }
        }
        return sum;
      }
    }
  }

  private static boolean switchOn(Statement settings) {
    try {
      return !settings.execute("SET STATISTICS IO ON");
    } catch (SQLException e) {
      return false;
    }
  }

  private static void drain(Statement statement) throws SQLException {
    try (var result = statement.getResultSet()) {
      while (result.next()) {
        // only the pages count
      }
    }
  }
}
