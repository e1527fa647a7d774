package io.github.mssqlcdc.sqlserver;

import static io.github.mssqlcdc.sqlserver.ChangeAnswers.BIGINT;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.CHANGES;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.LSN;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.broken;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.change;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.changes;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.head;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.lsn;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.read;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.readAll;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.some;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.tail;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.tailOfNone;
import static io.github.mssqlcdc.sqlserver.ScriptedServer.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.connection.Watch.Patience;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.sqlserver.ScriptedServer.Answer;
import io.github.mssqlcdc.testkit.network.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads that break midway, met through the real driver. */
@Timeout(60)
class RangeReaderTest {
  private static final Patience PATIENCE =
      new Patience(Duration.ofMillis(20), Duration.ofMillis(300), Duration.ofMillis(500));

  private final ScriptedServer server = new ScriptedServer();
  private final FaultProxy network = new FaultProxy(server.port());

  @AfterEach
  void close() {
    network.close();
    server.close();
  }

  @Test
  void aDeadlockVictimGoesOnAfterTheLastMark() {
    server.on(CHANGES, head().then(broken(1205, 1, 2, 3)), head().then(changes(3)).then(tail()));

    List<Integer> ids = new ArrayList<>();
    try (RangeReader reader = read(connect())) {
      ids.addAll(some(reader, 2));
      ids.addAll(some(reader, 2));
      assertThat(reader.read(RowCursor::tail).networkWaitMs()).as("of a piece").isNull();
    }

    assertThat(ids).containsExactly(1, 2, 3);
    assertThat(server.requests).hasSize(2);
    assertThat(server.requests.get(0)).doesNotContain("@from_lsn");
    assertThat(server.requests.get(1)).contains("ct.[__$start_lsn] = @from_lsn");
    assertThat(server.logins).hasValue(2);
  }

  @Test
  void aLockThatIsNotGrantedMidwayHasTheSameBudget() {
    server.on(CHANGES, head().then(broken(1222, 1, 2)));

    assertThatThrownBy(() -> readAll(read(connect())))
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Failed to read the changes (")
        .hasMessageContaining("error 1222");
    assertThat(server.requests).hasSize(4);
  }

  @Test
  void theBudgetIsNewOnceRowsWereMarked() {
    Answer broken = head().then(broken(1205, 1, 2));
    server.on(CHANGES, broken, broken, broken, broken, broken, head().then(tailOfNone()));

    try (RangeReader reader = read(connect())) {
      for (int i = 0; i < 5; i++) {
        assertThat(some(reader, 2)).hasSize(2);
      }
      assertThat(some(reader, 2)).isEmpty();
    }
    assertThat(server.requests).hasSize(6);
  }

  @Test
  void aServerThatLagsIsFoundByEachPiece() {
    server.on(
        CHANGES,
        head().then(broken(1205, 1, 2)),
        row(List.of(LSN, BIGINT), lsn(4).bytes(), 0L).then(changes(3)).then(tail()),
        head().then(changes(3)).then(tail()));

    try (RangeReader reader = read(connect())) {
      assertThat(some(reader, 2)).containsExactly(1, 2);
      assertThat(some(reader, 2)).containsExactly(3);
    }
    assertThat(server.requests).hasSize(3);
  }

  @Test
  void withoutCommandIdsNothingIsReadTwice() {
    Object[] change = change(7);
    change[1] = null;
    server.on(CHANGES, head().then(broken(1205, List.<Object[]>of(change))));

    try (RangeReader reader = read(connect())) {
      assertThat(some(reader, 1)).containsExactly(7);
      assertThatThrownBy(() -> some(reader, 1))
          .isInstanceOf(CdcException.class)
          .hasMessageStartingWith("Failed to read the changes (")
          .hasMessageContaining("(error 1205; ")
          .hasMessageContaining("rows without __$command_id have no order of their own")
          .hasMessageEndingWith("the task has to begin again");
    }
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void whatDoesNotPassIsRaisedAtOnce() {
    server.on(CHANGES, head().then(broken(8134, 1, 2)));

    assertThatThrownBy(() -> readAll(read(connect())))
        .isInstanceOf(CdcException.class)
        .hasMessageContaining("error 8134")
        .hasMessageNotContaining("begin again");
    assertThat(server.requests).hasSize(1);
  }

  private SqlServer connect(String... namesAndValues) {
    return connect(Duration.ofSeconds(1), namesAndValues);
  }

  private SqlServer connect(Duration stall, String... namesAndValues) {
    return TestClients.connect(
        new Timeouts(stall, PATIENCE), network.through(server.url()), namesAndValues);
  }
}
