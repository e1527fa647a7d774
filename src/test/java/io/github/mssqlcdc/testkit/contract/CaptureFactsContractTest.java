package io.github.mssqlcdc.testkit.contract;

import static io.github.mssqlcdc.testkit.contract.Fact.Known.DOCUMENTED;
import static io.github.mssqlcdc.testkit.contract.Fact.Known.INFERRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

/** What a reader sees while capture is at work. */
final class CaptureFactsContractTest extends FactSuite {
  private static final String KEY = "id int NOT NULL PRIMARY KEY, n int NULL";
  private static final int WRITERS = 4;
  private static final int ROUNDS = 50;

  /** Per writer; many more on a server of one's own. */
  private static final int COMMITS = Integer.getInteger("contract.soakCommits", 40);

  private static final int LOCK_NOT_GRANTED = 1222;
  private static final int LOOKS = 150;

  @Fact(
      id = "LSN-1",
      value = "no change row appears at or below a max LSN that was read before",
      known = DOCUMENTED)
  void soak() throws Exception {
    track("s1", KEY);
    track("s2", KEY);
    NavigableMap<String, Integer> seen = new TreeMap<>();
    int rounds = 0;
    // a fast server may have captured all that one round writes between two looks
    while (rounds < ROUNDS && seen.size() <= 2) {
      int first = WRITERS * rounds++;
      List<CompletableFuture<Void>> writers =
          IntStream.range(first, first + WRITERS)
              .mapToObj(writer -> CompletableFuture.runAsync(() -> write(writer)))
              .toList();
      while (!writers.stream().allMatch(CompletableFuture::isDone)) {
        look(seen);
      }
      for (CompletableFuture<Void> writer : writers) {
        writer.get();
      }
    }
    database.awaitCapture();

    List<String> lsns = new ArrayList<>(changes("s1", "[__$start_lsn]"));
    lsns.addAll(changes("s2", "[__$start_lsn]"));
    assertThat(lsns).hasSizeGreaterThanOrEqualTo(WRITERS * COMMITS * 2 * rounds);
    assertThat(seen).describedAs("max LSNs seen while capture was at work").hasSizeGreaterThan(2);
    seen.forEach(
        (max, rows) ->
            assertThat(lsns.stream().filter(lsn -> lsn.compareTo(max) <= 0))
                .describedAs("Rows at or below max LSN %s, of which %s were there then", max, rows)
                .hasSize(rows));
  }

  /** Transactions of one row to some, on both tables, some of them left open for a moment. */
  private void write(int writer) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < COMMITS; i++) {
        int id = (writer * COMMITS + i) * 10;
        statement.execute("INSERT INTO dbo.s1 VALUES (" + id + ", 0)");
        for (int more = 1; more < i % 10; more++) {
          statement.execute("INSERT INTO dbo.s1 VALUES (" + (id + more) + ", 0)");
        }
        statement.execute("INSERT INTO dbo.s2 VALUES (" + id + ", 0)");
        connection.commit();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to write", e);
    }
  }

  /** Max LSN first, then how many rows are there up to it. */
  private void look(NavigableMap<String, Integer> seen) {
    String max = value("SELECT sys.fn_cdc_get_max_lsn()");
    String upTo = "_CT WHERE [__$start_lsn] <= " + max;
    int rows =
        Integer.parseInt(value("SELECT COUNT(*) FROM cdc.dbo_s1" + upTo))
            + Integer.parseInt(value("SELECT COUNT(*) FROM cdc.dbo_s2" + upTo));
    seen.putIfAbsent(max, rows);
  }

  @Fact(
      id = "LSN-2",
      value = "max LSN doesn't show what a capture transaction still open has written",
      known = INFERRED)
  void openCaptureTransaction() throws Exception {
    track("a_free", KEY);
    track("b_held", KEY);
    try (Connection holder = database.connect();
        Statement lock = holder.createStatement()) {
      holder.setAutoCommit(false);
      lock.executeQuery("SELECT COUNT(*) FROM cdc.dbo_b_held_CT WITH (TABLOCKX, HOLDLOCK)").close();
      database.run(
          "BEGIN TRANSACTION; INSERT INTO dbo.a_free VALUES (1, 1); INSERT INTO dbo.b_held VALUES"
              + " (1, 1); COMMIT");
      CompletableFuture<Void> capture = CompletableFuture.runAsync(database::awaitCapture);
      String written = uncommitted(capture);
      String max = written.isEmpty() ? "" : maxLsnOrRefusal();
      boolean heldUp = !capture.isDone();
      holder.commit();
      await(capture);

      assumeTrue(heldUp, "A lock on a change table doesn't hold capture up here");
      assumeTrue(!written.isEmpty(), "Capture wrote nothing before it met the lock");
      assertThat(max).isLessThan(written);
      assertThat(value("SELECT sys.fn_cdc_get_max_lsn()")).isGreaterThanOrEqualTo(written);
    }
  }

  /** The LSN of the row that stands uncommitted in the free change table; empty: none does. */
  private String uncommitted(CompletableFuture<Void> capture) {
    for (int i = 0; i < LOOKS && !capture.isDone(); i++) {
      List<String> rows = rows("SELECT [__$start_lsn] FROM cdc.dbo_a_free_CT WITH (NOLOCK)");
      if (!rows.isEmpty()) {
        return rows.get(0);
      }
      Pause.briefly();
    }
    return "";
  }

  /** Empty where the read has to wait for capture, which shows nothing either. */
  private String maxLsnOrRefusal() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "SET LOCK_TIMEOUT 1000; SELECT CONVERT(varchar(22), sys.fn_cdc_get_max_lsn(), 1)")) {
      result.next();
      return result.getString(1);
    } catch (SQLException e) {
      if (e.getErrorCode() == LOCK_NOT_GRANTED) {
        return "";
      }
      throw e;
    }
  }

  private static void await(CompletableFuture<Void> capture)
      throws ExecutionException, InterruptedException {
    capture.get();
  }
}
