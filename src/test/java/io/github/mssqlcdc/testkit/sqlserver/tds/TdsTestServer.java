package io.github.mssqlcdc.testkit.sqlserver.tds;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server with a fake backend, and connections to it through the real driver. */
final class TdsTestServer implements AutoCloseable {
  final FakeBackend backend = new FakeBackend();
  final List<String> received = new CopyOnWriteArrayList<>();
  final TdsServer server;

  TdsTestServer(Encryption encryption) {
    this.server =
        TdsServer.builder(backend)
            .encryption(encryption)
            .listener((login, spid, sql) -> received.add(sql))
            .start();
  }

  TdsTestServer() {
    this(Encryption.OPTIONAL);
  }

  String url(String properties) {
    return "jdbc:sqlserver://localhost:"
        + server.port()
        + ";connectRetryCount=0;loginTimeout=20;socketTimeout=20000;"
        + properties;
  }

  Connection connect() throws SQLException {
    return connect("encrypt=false;databaseName=db");
  }

  Connection connect(String properties) throws SQLException {
    return connectAs(FakeBackend.USER, FakeBackend.PASSWORD, properties);
  }

  Connection connectAs(String user, String password, String properties) throws SQLException {
    Properties credentials = new Properties();
    credentials.setProperty("user", user);
    credentials.setProperty("password", password);
    return DriverManager.getConnection(url(properties), credentials);
  }

  @Override
  public void close() {
    server.close();
  }
}
