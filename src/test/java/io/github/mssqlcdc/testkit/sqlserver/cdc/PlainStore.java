package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.ManualClock;
import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.engine.CommitListener;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore;
import io.github.mssqlcdc.testkit.sqlserver.engine.SystemProcedure;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Just enough of a database to test CDC without the engine: H2 and a catalogue in a map. */
final class PlainStore implements DatabaseStore, AutoCloseable {
  final Map<Integer, TableInfo> tables = new ConcurrentHashMap<>();
  final Map<String, SystemProcedure> procedures = new HashMap<>();
  final Set<Integer> publicTables = new HashSet<>();
  final Set<String> roles = new HashSet<>();
  final ManualClock clock;
  volatile @Nullable CommitListener listener;
  private final Connection connection;
  private int nextId = 1000;

  PlainStore(ManualClock clock) throws SQLException {
    this.clock = clock;
    this.connection =
        DriverManager.getConnection(
            "jdbc:h2:mem:;MODE=MSSQLServer;DATABASE_TO_UPPER=FALSE"
                + ";CASE_INSENSITIVE_IDENTIFIERS=TRUE");
  }

  @Override
  public String name() {
    return "shop";
  }

  @Override
  public Optional<TableInfo> table(String schema, String name) {
    return tables.values().stream()
        .filter(t -> t.schema().equalsIgnoreCase(schema) && t.name().equalsIgnoreCase(name))
        .findFirst();
  }

  @Override
  public Optional<TableInfo> table(int objectId) {
    return Optional.ofNullable(tables.get(objectId));
  }

  @Override
  public void createSchema(String name) {
    execute("CREATE SCHEMA IF NOT EXISTS " + Sql.quote(name));
  }

  @Override
  public void createRole(String name) {
    roles.add(name);
  }

  @Override
  public int createSystemTable(
      String schema, String name, List<Column> columns, List<String> uniqueKey) {
    String list =
        columns.stream()
            .map(
                c ->
                    Sql.quote(c.name())
                        + " "
                        + h2Type(c.type())
                        + (c.nullable() ? "" : " NOT NULL"))
            .collect(Collectors.joining(", "));
    String table = Sql.quote(schema) + "." + Sql.quote(name);
    execute("CREATE TABLE " + table + " (" + list + ")");
    if (!uniqueKey.isEmpty()) {
      String key = uniqueKey.stream().map(Sql::quote).collect(Collectors.joining(", "));
      execute("CREATE UNIQUE INDEX ON " + table + " (" + key + ")");
    }
    tables.put(++nextId, new TableInfo(nextId, schema, name, List.of(), List.of()));
    return nextId;
  }

  private static String h2Type(DataType type) {
    String max = type.length() == DataType.MAX ? "1000000" : String.valueOf(type.length());
    return switch (type.name()) {
      case BIT -> "BOOLEAN";
      case TINYINT -> "SMALLINT";
      case ROWVERSION -> "BINARY(8)";
      case BINARY -> "BINARY(" + max + ")";
      case VARBINARY, IMAGE -> "VARBINARY(1000000)";
      case TEXT, NTEXT, XML, VARCHAR, NVARCHAR -> "VARCHAR(1000000)";
      case UNIQUEIDENTIFIER -> "UUID";
      case DATETIME -> "TIMESTAMP(3)";
      default -> type.name().name();
    };
  }

  @Override
  public void retypeColumn(int objectId, String column, DataType type) {
    TableInfo table = tables.get(objectId);
    execute(
        "ALTER TABLE "
            + Sql.quote(table.schema())
            + "."
            + Sql.quote(table.name())
            + " ALTER COLUMN "
            + Sql.quote(column)
            + " SET DATA TYPE "
            + h2Type(type));
  }

  @Override
  public void dropTable(int objectId) {
    TableInfo table = tables.remove(objectId);
    execute("DROP TABLE " + Sql.quote(table.schema()) + "." + Sql.quote(table.name()));
  }

  @Override
  public void grantSelectToPublic(int objectId) {
    publicTables.add(objectId);
  }

  @Override
  public synchronized void update(List<Statement> statements) {
    try {
      connection.setAutoCommit(false);
      for (Statement statement : statements) {
        try (PreparedStatement prepared =
            prepare(statement.sql(), statement.arguments().toArray())) {
          prepared.executeUpdate();
        }
      }
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public synchronized List<@Nullable Object[]> query(String sql, @Nullable Object... arguments) {
    try (PreparedStatement prepared = prepare(sql, arguments);
        ResultSet rows = prepared.executeQuery()) {
      List<@Nullable Object[]> all = new ArrayList<>();
      while (rows.next()) {
        @Nullable Object[] row = new @Nullable Object[rows.getMetaData().getColumnCount()];
        for (int i = 0; i < row.length; i++) {
          row[i] = rows.getObject(i + 1);
        }
        all.add(row);
      }
      return all;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private PreparedStatement prepare(String sql, @Nullable Object[] arguments) throws SQLException {
    PreparedStatement prepared = connection.prepareStatement(sql);
    for (int i = 0; i < arguments.length; i++) {
      prepared.setObject(i + 1, arguments[i]);
    }
    return prepared;
  }

  @Override
  public LocalDateTime now() {
    return LocalDateTime.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  @Override
  public void listen(@Nullable CommitListener newListener) {
    listener = newListener;
  }

  @Override
  public void register(SystemProcedure procedure) {
    procedures.put(procedure.name(), procedure);
  }

  private void execute(String sql) {
    update(List.of(new Statement(sql, List.of())));
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
