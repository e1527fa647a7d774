package io.github.mssqlcdc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConnectionPoolTest {
  private final StubConnections connections = new StubConnections();
  private final ConnectionPool pool =
      new ConnectionPool(
          new ConnectionTarget("db", "shop", "reader", Map.of()),
          2,
          Duration.ofSeconds(30),
          connections,
          new DaemonTimer());

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void nothingIsOpenedBeforeSomeoneAsks() {
    assertThat(connections.calls).isEmpty();
  }

  @Test
  void aConnectionGivenBackIsBorrowedAgain() throws SQLException {
    pool.borrow().close();
    pool.borrow().close();

    assertThat(connections.count("open")).isEqualTo(1);
    assertThat(connections.count("close")).isZero();
  }

  @Test
  void thePoolNeverAsksTheServerWhetherAConnectionLives() throws Exception {
    pool.borrow().close();
    // HikariCP checks what has been idle for longer than half a second
    TimeUnit.MILLISECONDS.sleep(600);
    pool.borrow().close();

    assertThat(connections.count("open")).isEqualTo(1);
    assertThat(connections.count("isValid")).isZero();
    assertThat(connections.count("createStatement")).isZero();
  }

  @Test
  void aRefusedLoginIsTriedOnceAndTellsItsReason() {
    connections.failNext(new SQLException("Login failed for user 'reader'.", "S0001", 18456));

    assertThatThrownBy(pool::borrow)
        .isInstanceOfSatisfying(
            ConnectFailedException.class,
            failure -> {
              assertThat(failure.getErrorCode()).isEqualTo(18456);
              assertThat(failure.getSQLState()).isEqualTo("S0001");
              assertThat(failure.workedBefore()).isFalse();
            })
        .hasMessage("Login failed for user 'reader'.");
    assertThat(connections.count("open")).isEqualTo(1);
  }

  @Test
  void aFailureAfterASuccessSaysSo() throws SQLException {
    pool.borrow().discard(new SQLException("gone", "08S01"));
    connections.failNext(new SQLException("refused", "08S01"));

    assertThatThrownBy(pool::borrow)
        .isInstanceOfSatisfying(
            ConnectFailedException.class, failure -> assertThat(failure.workedBefore()).isTrue());
  }

  @Test
  void aFailureIsForgottenOnceReported() throws SQLException {
    connections.failNext(new SQLException("refused", "08S01"));
    assertThatThrownBy(pool::borrow).isInstanceOf(ConnectFailedException.class);

    pool.borrow().close();

    assertThat(connections.count("open")).isEqualTo(2);
  }

  @Test
  void aDiscardedConnectionIsClosedAndReplaced() throws Exception {
    pool.borrow().discard(new SQLException("deadlock", "40001", 1205));
    pool.borrow().close();

    assertThat(connections.firstClose.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(connections.count("open")).isEqualTo(2);
  }

  @Test
  void aBrokenConnectionTakesTheIdleOnesWithIt() throws SQLException {
    Lease broken = pool.borrow();
    pool.borrow().close();
    broken.discard(new SQLException("connection reset", "08S01"));

    pool.borrow().close();

    assertThat(connections.count("open")).isEqualTo(3);
  }

  @Test
  void aDeadlockLeavesTheIdleOnesAlone() throws SQLException {
    Lease victim = pool.borrow();
    pool.borrow().close();
    victim.discard(new SQLException("deadlock", "40001", 1205));

    pool.borrow().close();

    assertThat(connections.count("open")).isEqualTo(2);
  }

  @Test
  void aBorrowerWaitsWhileAllAreInUse() throws Exception {
    Lease first = pool.borrow();
    Lease second = pool.borrow();
    CompletableFuture<Lease> third =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return pool.borrow();
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(third).isNotDone();

    Connection freed = first.connection();
    first.close();

    third.get(30, TimeUnit.SECONDS).close();
    second.close();
    assertThat(freed.isClosed()).isTrue();
    assertThat(connections.count("open")).isEqualTo(2);
  }

  @Test
  void aLeaseIsGivenBackOnce() throws SQLException {
    Lease lease = pool.borrow();
    lease.close();
    lease.close();
    lease.discard(new SQLException());

    Lease first = pool.borrow();
    Lease second = pool.borrow();
    CompletableFuture<Void> third =
        CompletableFuture.runAsync(
            () -> {
              Thread.currentThread().interrupt();
              assertThatThrownBy(pool::borrow)
                  .isInstanceOf(SQLException.class)
                  .hasMessageStartingWith("Interrupted while waiting for a connection");
            });
    third.join();
    first.close();
    second.close();
  }

  @Test
  void nothingIsHeldOnceNobodyHasUsedItForAWhile() throws Exception {
    try (ConnectionPool idle = idlePool()) {
      idle.borrow().close();
      assertThat(connections.firstClose.await(10, TimeUnit.SECONDS)).isTrue();

      idle.borrow().close();
      assertThat(connections.count("open")).isEqualTo(2);
    }
  }

  @Test
  void aConnectionInUseIsNeverIdle() throws Exception {
    try (ConnectionPool idle = idlePool()) {
      Lease lease = idle.borrow();
      idle.borrow().close();
      TimeUnit.MILLISECONDS.sleep(300);

      assertThat(lease.connection().isClosed()).isFalse();
      assertThat(connections.count("close")).isZero();
      lease.close();
    }
  }

  @Test
  void aClosedPoolGivesOutNothing() throws Exception {
    Lease lease = pool.borrow();
    pool.close();
    lease.close();

    assertThatThrownBy(pool::borrow)
        .isInstanceOf(SQLException.class)
        .hasMessageEndingWith("is closed: the process ends");
    assertThat(connections.count("open")).isEqualTo(1);
  }

  private ConnectionPool idlePool() {
    return new ConnectionPool(
        new ConnectionTarget("db", "shop", "reader", Map.of()),
        2,
        Duration.ofSeconds(30),
        connections,
        new DaemonTimer(),
        Duration.ofMillis(100));
  }
}
