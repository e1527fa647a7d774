package io.github.mssqlcdc.testkit.sqlserver.engine;

/**
 * What SET changes. A value, so that it can be kept and restored.
 *
 * @param lockTimeoutMs -1: wait forever
 * @param rowCount most rows of a SELECT; 0: all
 */
record SessionOptions(
    String isolation,
    int lockTimeoutMs,
    int rowCount,
    boolean noCount,
    boolean xactAbort,
    boolean implicitTransactions) {

  static SessionOptions defaults() {
    return new SessionOptions("READ COMMITTED", -1, 0, false, false, false);
  }

  SessionOptions withIsolation(String level) {
    return new SessionOptions(
        level, lockTimeoutMs, rowCount, noCount, xactAbort, implicitTransactions);
  }

  SessionOptions withLockTimeout(int millis) {
    return new SessionOptions(
        isolation, millis, rowCount, noCount, xactAbort, implicitTransactions);
  }

  SessionOptions withRowCount(int rows) {
    return new SessionOptions(
        isolation, lockTimeoutMs, rows, noCount, xactAbort, implicitTransactions);
  }

  SessionOptions withNoCount(boolean on) {
    return new SessionOptions(
        isolation, lockTimeoutMs, rowCount, on, xactAbort, implicitTransactions);
  }

  SessionOptions withXactAbort(boolean on) {
    return new SessionOptions(
        isolation, lockTimeoutMs, rowCount, noCount, on, implicitTransactions);
  }

  SessionOptions withImplicitTransactions(boolean on) {
    return new SessionOptions(isolation, lockTimeoutMs, rowCount, noCount, xactAbort, on);
  }
}
