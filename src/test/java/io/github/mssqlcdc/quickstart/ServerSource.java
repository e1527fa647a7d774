package io.github.mssqlcdc.quickstart;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.UUID;

/**
 * A database on a server reached by URL. The orders stand in a table of their own, which is dropped
 * at the end unless it is to be kept for a second run; nothing else in the database is touched.
 */
final class ServerSource implements OrdersSource {
  private static final Duration CAPTURE_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(500);

  private final String url;
  private final String user;
  private final String password;
  private final Afterwards afterwards;
  private final Path stateFile;
  private final Properties state = new Properties();
  private final boolean made;

  private ServerSource(
      String url, String user, String password, Afterwards afterwards, Path stateFile, Lake lake) {
    this.url = url;
    this.user = user;
    this.password = password;
    this.afterwards = afterwards;
    this.stateFile = stateFile;
    this.state.putAll(load(stateFile));
    this.made = lake.exists() && Boolean.parseBoolean(state.getProperty("ready"));
  }

  /**
   * @throws IllegalStateException if CDC is off in the database or the login isn't db_owner
   */
  static ServerSource connect(
      String url, String user, String password, Afterwards afterwards, Path stateFile, Lake lake) {
    var source = new ServerSource(url, user, password, afterwards, stateFile, lake);
    source.requireCdc();
    if (!source.made) {
      source.dropLeftover();
      String suffix = UUID.randomUUID().toString().substring(0, 8).toLowerCase(Locale.ROOT);
      source.state.setProperty("table", "quickstart_orders_" + suffix);
      source.state.setProperty("rounds", "0");
      source.save();
    }
    return source;
  }

  @Override
  public String description() {
    String server = Jdbc.query(this, "SELECT @@SERVERNAME", row -> row.getString(1)).get(0);
    return "SQL Server " + server + ", table dbo." + table();
  }

  @Override
  public String table() {
    return state.getProperty("table");
  }

  @Override
  public boolean isNew() {
    return !made;
  }

  @Override
  public int rounds() {
    return Integer.parseInt(state.getProperty("rounds"));
  }

  @Override
  public String url() {
    return url;
  }

  @Override
  public String user() {
    return user;
  }

  @Override
  public String password() {
    return password;
  }

  @Override
  public void run(List<String> batches) {
    batches.forEach(sql -> Jdbc.run(this, sql));
  }

  @Override
  public void runRound(List<String> batches) {
    state.setProperty("rounds", Integer.toString(rounds() + 1));
    save();
    run(batches);
  }

  /** The last commit of a round writes a note of its own, which must stand in the change table. */
  @Override
  public void awaitCapture() {
    String captured =
        rounds() == 0
            ? "SELECT COUNT(*) FROM cdc.change_tables WHERE start_lsn IS NOT NULL"
                + " AND capture_instance = N'"
                + captureInstance()
                + "'"
            : "SELECT COUNT(*) FROM [cdc].["
                + captureInstance()
                + "_CT]"
                + " WHERE note = N'round "
                + rounds()
                + " done'";
    long deadline = System.nanoTime() + CAPTURE_TIMEOUT.toNanos();
    while (Jdbc.number(this, captured) == 0) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "Capture has not caught up within "
                + CAPTURE_TIMEOUT.toSeconds()
                + " s: check that SQL Server Agent and the capture job run");
      }
      pause();
    }
    state.setProperty("ready", "true");
    save();
  }

  @Override
  public void close() {
    if (afterwards == Afterwards.DROP) {
      drop();
    }
  }

  private void requireCdc() {
    String enabled = "SELECT CAST(is_cdc_enabled AS int) FROM sys.databases WHERE name = DB_NAME()";
    if (Jdbc.number(this, enabled) != 1) {
      throw new IllegalStateException(
          "CDC is off in this database: run EXEC sys.sp_cdc_enable_db there as sysadmin, or name"
              + " another with databaseName=… in the URL");
    }
    if (Jdbc.number(this, "SELECT IS_ROLEMEMBER(N'db_owner')") != 1) {
      throw new IllegalStateException(
          "Login "
              + user
              + " is not db_owner of this database, which enabling CDC on a table takes");
    }
  }

  /** A run that broke off while it made its table. */
  private void dropLeftover() {
    if (state.getProperty("table") != null) {
      drop();
    }
  }

  private void drop() {
    String tracked =
        "SELECT COUNT(*) FROM cdc.change_tables WHERE capture_instance = N'"
            + captureInstance()
            + "'";
    if (Jdbc.number(this, tracked) > 0) {
      Jdbc.run(
          this,
          "EXEC sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'"
              + table()
              + "', @capture_instance = N'"
              + captureInstance()
              + "'");
    }
    Jdbc.run(this, "DROP TABLE IF EXISTS [dbo].[" + table() + "]");
    state.clear();
    try {
      Files.deleteIfExists(stateFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Properties load(Path file) {
    Properties properties = new Properties();
    if (Files.exists(file)) {
      try (Reader reader = Files.newBufferedReader(file)) {
        properties.load(reader);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return properties;
  }

  private void save() {
    try {
      Files.createDirectories(stateFile.getParent());
      try (Writer writer = Files.newBufferedWriter(stateFile)) {
        state.store(writer, "table that the quick start made");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What becomes of the table when the run ends. */
  enum Afterwards {
    KEEP,
    DROP
  }

  private static void pause() {
    try {
      Thread.sleep(POLL.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for capture", e);
    }
  }
}
