package io.github.mssqlcdc.testkit.contract;

import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A database of its own on a stand-in. */
public final class StandInDatabase implements TestDatabase {
  private final StandIn standIn;
  private final String name;
  private final Runnable afterwards;

  private StandInDatabase(StandIn standIn, String name, Runnable afterwards) {
    this.standIn = standIn;
    this.name = name;
    this.afterwards = afterwards;
  }

  /** On a stand-in of its own, which ends with it. */
  public static StandInDatabase start() {
    StandIn standIn = StandIn.start();
    return create(standIn, uniqueName(), standIn::close);
  }

  /** On a stand-in that is there. */
  public static StandInDatabase create(StandIn standIn) {
    return create(standIn, uniqueName(), () -> {});
  }

  private static String uniqueName() {
    return "contract_" + UUID.randomUUID().toString().replace("-", "");
  }

  private static StandInDatabase create(StandIn standIn, String name, Runnable afterwards) {
    StandInDatabase database = new StandInDatabase(standIn, name, afterwards);
    database.runOn("master", "CREATE DATABASE [" + name + "]");
    database.run("EXEC sys.sp_cdc_enable_db");
    return database;
  }

  public StandIn standIn() {
    return standIn;
  }

  public String name() {
    return name;
  }

  @Override
  public String url() {
    return standIn.url(name);
  }

  @Override
  public String user() {
    return standIn.adminUser();
  }

  @Override
  public String password() {
    return standIn.adminPassword();
  }

  @Override
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url(), user(), password());
  }

  @Override
  public void run(String... batches) {
    runOn(name, batches);
  }

  private void runOn(String database, String... batches) {
    String current = "";
    try (Connection connection =
            DriverManager.getConnection(standIn.url(database), user(), password());
        Statement statement = connection.createStatement()) {
      for (String batch : batches) {
        current = batch;
        drain(statement, batch);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to run " + current, e);
    }
  }

  /** All results are asked for: an error may come behind the first. */
  private static void drain(Statement statement, String batch) throws SQLException {
    boolean rows = statement.execute(batch);
    while (rows || statement.getUpdateCount() != -1) {
      rows = statement.getMoreResults();
    }
  }

  @Override
  public List<List<Object>> query(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int width = result.getMetaData().getColumnCount();
      List<List<Object>> rows = new ArrayList<>();
      while (result.next()) {
        List<Object> row = new ArrayList<>(width);
        for (int i = 1; i <= width; i++) {
          row.add(result.getObject(i));
        }
        rows.add(row);
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to query " + sql, e);
    }
  }

  /** Captures at once, whether the stand-in captures on its own or not. */
  @Override
  public void awaitCapture() {
    standIn.capture();
  }

  @Override
  public void close() {
    runOn(
        "master",
        "ALTER DATABASE [" + name + "] SET SINGLE_USER WITH ROLLBACK IMMEDIATE",
        "DROP DATABASE [" + name + "]");
    afterwards.run();
  }
}
