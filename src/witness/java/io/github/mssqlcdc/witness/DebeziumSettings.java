package io.github.mssqlcdc.witness;

import io.debezium.connector.sqlserver.SqlServerConnector;
import java.nio.file.Path;
import java.util.Properties;

/**
 * How Debezium's connector reaches a database of a stand-in; else it is set as it comes.
 *
 * @param port of the server, on this machine
 */
public record DebeziumSettings(int port, String database, String user, String password) {
  static final String PREFIX = "witness";

  /**
   * The connector's properties.
   *
   * @param folder of its offsets and its schema history: with the same folder it goes on
   * @param tables with their schema, comma-separated
   */
  public Properties of(Path folder, String tables) {
    Properties settings = new Properties();
    settings.setProperty("name", PREFIX);
    settings.setProperty("connector.class", SqlServerConnector.class.getName());
    settings.setProperty("topic.prefix", PREFIX);
    settings.setProperty("database.hostname", "localhost");
    settings.setProperty("database.port", String.valueOf(port));
    settings.setProperty("database.user", user);
    settings.setProperty("database.password", password);
    settings.setProperty("database.names", database);
    settings.setProperty("database.encrypt", "false");
    settings.setProperty("table.include.list", tables);
    settings.setProperty("poll.interval.ms", "100");
    settings.setProperty("errors.max.retries", "0");
    settings.setProperty(
        "offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    settings.setProperty("offset.storage.file.filename", folder.resolve("offsets").toString());
    settings.setProperty("offset.flush.interval.ms", "0");
    settings.setProperty(
        "schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory");
    settings.setProperty(
        "schema.history.internal.file.filename", folder.resolve("schemas").toString());
    return settings;
  }
}
