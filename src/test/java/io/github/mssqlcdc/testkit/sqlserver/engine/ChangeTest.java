package io.github.mssqlcdc.testkit.sqlserver.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes of rows, transactions, and what the listener is told of them. */
@Timeout(60)
class ChangeTest {
  private final EngineFixture server = new EngineFixture();
  private BackendSession session;

  @BeforeEach
  void fill() {
    session = server.session();
    EngineFixture.run(
        session,
        "CREATE TABLE dbo.t (id int NOT NULL PRIMARY KEY, b varchar(5) NULL);"
            + " INSERT t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    server.commits.clear();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** {@code statement: before -> after} of each change of each commit. */
  private List<List<String>> told() {
    List<List<String>> commits = new ArrayList<>();
    for (CommitListener.Commit commit : server.commits) {
      commits.add(
          commit.changes().stream()
              .map(
                  c ->
                      c.statement()
                          + ": "
                          + Arrays.toString(c.before())
                          + " -> "
                          + Arrays.toString(c.after()))
              .toList());
    }
    return commits;
  }

  @Test
  void eachStatementInAutocommitIsACommit() {
    EngineFixture.run(session, "UPDATE t SET b = 'x' WHERE id = 1; DELETE t WHERE id = 2");

    assertThat(told())
        .containsExactly(List.of("1: [1, a] -> [1, x]"), List.of("1: [2, b] -> null"));
  }

  @Test
  void anUpdateThatMovesEveryKeyHasAllImages() {
    EngineFixture.run(session, "UPDATE t SET id = id + 1");

    assertThat(told())
        .containsExactly(
            List.of("1: [1, a] -> [2, a]", "1: [2, b] -> [3, b]", "1: [3, c] -> [4, c]"));
  }

  @Test
  void aTransactionIsOneCommitWithNumberedStatements() {
    EngineFixture.run(
        session, "BEGIN TRAN; INSERT t VALUES (4, 'd'); UPDATE t SET b = 'e' WHERE id = 4; COMMIT");

    assertThat(told()).containsExactly(List.of("1: null -> [4, d]", "2: [4, d] -> [4, e]"));
  }

  @Test
  void whatIsRolledBackIsNotTold() {
    EngineFixture.run(
        session,
        "BEGIN TRAN; DELETE t; ROLLBACK; BEGIN TRAN; INSERT t VALUES (4, 'd'); SAVE TRAN s;"
            + " INSERT t VALUES (5, 'e'); ROLLBACK TRAN s; COMMIT");

    assertThat(told()).containsExactly(List.of("1: null -> [4, d]"));
    assertThat(EngineFixture.value(session, "SELECT COUNT(*) FROM t")).isEqualTo(4);
  }

  @Test
  void aFailedStatementLeavesNoChanges() {
    RecordingSink sink =
        EngineFixture.attempt(
            session,
            "BEGIN TRAN; INSERT t VALUES (4, 'd'); INSERT t VALUES (5, 'e'), (1, 'x');"
                + " COMMIT");

    assertThat(sink.errors).hasSize(1);
    assertThat(told()).containsExactly(List.of("1: null -> [4, d]"));
  }

  @Test
  void xactAbortRollsEverythingBack() {
    RecordingSink sink =
        EngineFixture.attempt(
            session,
            "SET XACT_ABORT ON; BEGIN TRAN; INSERT t VALUES (4, 'd'); INSERT t VALUES (1, 'x');"
                + " COMMIT");

    assertThat(sink.errors.get(0).number()).isEqualTo(2627);
    assertThat(sink.events).containsExactly("BEGIN", "ROLLBACK");
    assertThat(told()).isEmpty();
  }

  @Test
  void implicitTransactionsBeginWithATableAndNotWithoutOne() {
    EngineFixture.run(session, "SET IMPLICIT_TRANSACTIONS ON");

    assertThat(EngineFixture.value(session, "SELECT @@TRANCOUNT")).isEqualTo(0);
    EngineFixture.run(session, "SELECT * FROM t");
    assertThat(EngineFixture.value(session, "SELECT @@TRANCOUNT")).isEqualTo(1);
    EngineFixture.run(session, "IF @@TRANCOUNT > 0 ROLLBACK TRAN");
    assertThat(EngineFixture.value(session, "SELECT @@TRANCOUNT")).isEqualTo(0);
  }

  @Test
  void closingASessionRollsItsTransactionBack() {
    EngineFixture.run(session, "BEGIN TRAN; DELETE t");
    session.close();

    assertThat(EngineFixture.value(server.session(), "SELECT COUNT(*) FROM t")).isEqualTo(3);
    assertThat(told()).isEmpty();
  }

  @Test
  void identityDefaultsComputedColumnsAndRowVersionsAreGiven() {
    EngineFixture.run(
        session,
        """
        CREATE TABLE dbo.g (id int IDENTITY(10, 5) PRIMARY KEY, a int NOT NULL DEFAULT 7,
            twice AS (a * 2), v rowversion, at datetime2(3) DEFAULT SYSDATETIME());
        INSERT dbo.g (a) VALUES (1), (DEFAULT);
        INSERT dbo.g DEFAULT VALUES;
        """);

    assertThat(EngineFixture.rows(session, "SELECT id, a, twice FROM g ORDER BY id"))
        .containsExactly(List.of(10, 1, 2), List.of(15, 7, 14), List.of(20, 7, 14));
    assertThat(EngineFixture.value(session, "SELECT COUNT(DISTINCT v) FROM g")).isEqualTo(3);
    assertThat(EngineFixture.error(session, "INSERT g (id) VALUES (1)")).isEqualTo(544);
    assertThat(EngineFixture.error(session, "UPDATE g SET twice = 1")).isEqualTo(271);
    EngineFixture.run(session, "SET IDENTITY_INSERT dbo.g ON; INSERT g (id) VALUES (1)");
  }

  @Test
  void aWriterWaitsForTheRowAndGivesUpAfterTheLockTimeout() {
    BackendSession other = server.session();
    EngineFixture.run(session, "BEGIN TRAN; UPDATE t SET b = 'x' WHERE id = 1");

    assertThat(
            EngineFixture.error(other, "SET LOCK_TIMEOUT 100; UPDATE t SET b = 'y' WHERE id = 1"))
        .isEqualTo(1222);
    EngineFixture.run(other, "UPDATE t SET b = 'y' WHERE id = 2");
  }

  @Test
  void aReaderWaitsForAWriterUnlessItReadsVersions() {
    BackendSession other = server.session();
    EngineFixture.run(session, "ALTER DATABASE shop SET ALLOW_SNAPSHOT_ISOLATION ON");
    EngineFixture.run(session, "BEGIN TRAN; UPDATE t SET b = 'x' WHERE id = 1");

    assertThat(EngineFixture.error(other, "SET LOCK_TIMEOUT 100; SELECT * FROM t")).isEqualTo(1222);
    assertThat(
            EngineFixture.value(
                other, "SET TRANSACTION ISOLATION LEVEL SNAPSHOT; SELECT b FROM t WHERE id = 1"))
        .isEqualTo("a");
    EngineFixture.run(session, "COMMIT");
    assertThat(
            EngineFixture.value(
                other,
                "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SELECT b FROM t WHERE id = 1"))
        .isEqualTo("x");
  }

  @Test
  void aReaderInATransactionDoesNotHoldUpAlterations() {
    BackendSession other = server.session();
    EngineFixture.run(other, "BEGIN TRAN; SELECT * FROM t");

    EngineFixture.run(session, "SET LOCK_TIMEOUT 5000; ALTER TABLE t ADD c int NULL");
    assertThat(EngineFixture.rows(other, "SELECT c FROM t WHERE id = 1").get(0)).hasSize(1);
  }

  @Test
  void aSnapshotStaysAsItWas() {
    BackendSession other = server.session();
    assertThat(
            EngineFixture.error(other, "SET TRANSACTION ISOLATION LEVEL SNAPSHOT; SELECT * FROM t"))
        .isEqualTo(3952);
    EngineFixture.run(session, "ALTER DATABASE shop SET ALLOW_SNAPSHOT_ISOLATION ON");
    EngineFixture.run(other, "BEGIN TRAN; SELECT * FROM t");
    EngineFixture.run(session, "UPDATE t SET b = 'x' WHERE id = 1");

    assertThat(EngineFixture.value(other, "SELECT b FROM t WHERE id = 1")).isEqualTo("a");
    assertThat(EngineFixture.error(other, "UPDATE t SET b = 'y' WHERE id = 1")).isEqualTo(3960);
  }
}
