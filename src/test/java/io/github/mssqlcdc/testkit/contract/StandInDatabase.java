package io.github.mssqlcdc.testkit.contract;

import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A database of its own on a stand-in. */
public final class StandInDatabase implements TestDatabase {
  private final StandIn standIn;
  private final String name;
  private final Runnable afterwards;
  private final TestLogins logins = new TestLogins();

  private StandInDatabase(StandIn standIn, String name, Runnable afterwards) {
    this.standIn = standIn;
    this.name = name;
    this.afterwards = afterwards;
  }

  /** On a stand-in of its own, which ends with it. */
  public static StandInDatabase start() {
    return start("contract_", null);
  }

  static StandInDatabase start(String prefix, @Nullable String collation) {
    StandIn standIn = StandIn.start();
    return create(standIn, uniqueName(prefix), collation, standIn::close);
  }

  /** On a stand-in that is there. */
  public static StandInDatabase create(StandIn standIn) {
    return create(standIn, uniqueName("contract_"), null, () -> {});
  }

  /** One of this name, on a stand-in that is there. */
  public static StandInDatabase create(StandIn standIn, String name) {
    return create(standIn, name, null, () -> {});
  }

  private static String uniqueName(String prefix) {
    return prefix + UUID.randomUUID().toString().replace("-", "");
  }

  private static StandInDatabase create(
      StandIn standIn, String name, @Nullable String collation, Runnable afterwards) {
    StandInDatabase database = new StandInDatabase(standIn, name, afterwards);
    database.client("master").run(DatabaseClient.create(name, collation));
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
    return client(name).connect();
  }

  @Override
  public void run(String... batches) {
    client(name).run(batches);
  }

  @Override
  public List<List<Object>> query(String sql) {
    return client(name).query(sql);
  }

  @Override
  public TestLogin createLogin(String user) {
    return logins.create(client(name), user);
  }

  private DatabaseClient client(String database) {
    return new DatabaseClient(standIn.url(database), user(), password());
  }

  /** Captures at once, whether the stand-in captures on its own or not. */
  @Override
  public void awaitCapture() {
    standIn.capture();
  }

  /** Fails, too, if the library has sent anything but reads. */
  @Override
  public void close() {
    client("master").run(DatabaseClient.drop(name));
    logins.drop(client("master"));
    afterwards.run();
    standIn.requireReadOnly();
  }
}
