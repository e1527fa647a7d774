package io.github.mssqlcdc.soak;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Changes rows of {@code dbo.accounts} at random until it is stopped. A transaction that fails or
 * whose outcome is unknown is nobody's loss: what the table holds is the truth.
 */
final class Writer implements Runnable {
  static final String TABLE =
      "CREATE TABLE dbo.accounts (id int NOT NULL PRIMARY KEY, name nvarchar(60) NULL,"
          + " amount decimal(12, 2) NOT NULL, version int NOT NULL, note nvarchar(max) NULL)";

  private static final int KEYS = 2_000;
  private static final int PAUSE_MS = 100;

  private final Connections connections;
  private final AtomicInteger nextKey;
  private final Random random;
  private volatile boolean stopped;
  private volatile int transactions;

  /** Opens connections to the database. */
  interface Connections {
    Connection open() throws SQLException;
  }

  /**
   * @param nextKey the next id that no row has had yet, of all writers
   */
  Writer(Connections connections, AtomicInteger nextKey, long seed) {
    this.connections = connections;
    this.nextKey = nextKey;
    this.random = new Random(seed);
  }

  void stop() {
    stopped = true;
  }

  /** Transactions that it knows to have committed. */
  int transactions() {
    return transactions;
  }

  @Override
  public void run() {
    while (!stopped) {
      try (Connection connection = connections.open();
          Statement statement = connection.createStatement()) {
        while (!stopped) {
          pause();
          statement.execute(transaction());
          transactions++;
        }
      } catch (SQLException e) {
        pause(); // the server is away, the connection was cut, or the key is taken
      }
    }
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS / 2 + random.nextInt(PAUSE_MS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stopped = true;
    }
  }

  private String transaction() {
    return switch (random.nextInt(8)) {
      case 0, 1 -> insert(1 + random.nextInt(KEYS));
      case 2, 3, 4 -> update(1 + random.nextInt(20));
      case 5 -> delete();
      case 6 ->
          "UPDATE dbo.accounts SET id = " + nextKey.getAndIncrement() + " WHERE id = " + key();
      default ->
          "BEGIN TRAN; " + update(3) + delete() + insert(nextKey.getAndIncrement()) + "COMMIT;";
    };
  }

  private int key() {
    return 1 + random.nextInt(KEYS);
  }

  /** A key that is there already is error 2627, and the connection is opened anew. */
  private String insert(int key) {
    return "INSERT INTO dbo.accounts (id, name, amount, version, note) SELECT v.id, N'name "
        + random.nextInt()
        + "', "
        + random.nextInt(1_000_000)
        + ".25, 0, REPLICATE(CAST(N'x' AS nvarchar(max)), "
        + random.nextInt(6_000)
        + ") FROM (VALUES ("
        + key
        + ")) AS v(id) WHERE NOT EXISTS (SELECT 1 FROM dbo.accounts AS a WHERE a.id = v.id); ";
  }

  private String update(int rows) {
    int from = key();
    return "UPDATE dbo.accounts SET amount = amount + 1, version = version + 1 WHERE id >= "
        + from
        + " AND id < "
        + (from + rows)
        + "; ";
  }

  private String delete() {
    return "DELETE FROM dbo.accounts WHERE id = " + key() + "; ";
  }
}
