package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.Product;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.TextOrder;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The server's databases. Thread-safe. */
final class Databases implements AutoCloseable {
  private final Map<String, Database> databases = new ConcurrentHashMap<>();
  private final ServerClock clock;
  private final TextOrder names;
  private final Product product;
  private final Function<DatabaseStore, DatabaseExtension> install;
  private int lastId;

  /**
   * @param collation the server's own: of its databases, unless they have another, and of names
   * @param install told of each database made, to add Change Data Capture to it
   */
  Databases(
      ServerClock clock,
      Product product,
      String collation,
      Function<DatabaseStore, DatabaseExtension> install) {
    this.clock = clock;
    this.product = product;
    this.names = TextOrder.of(collation);
    this.install = install;
    for (String name : List.of("master", "tempdb", "model", "msdb")) {
      databases.put(name, new Database(++lastId, name, collation, clock));
    }
    if (product.azure()) {
      databases.remove("msdb");
    }
  }

  /** Empty if the name is taken. */
  synchronized Optional<Database> create(String name, @Nullable String collation) {
    if (find(name).isPresent()) {
      return Optional.empty();
    }
    Database database =
        new Database(
            ++lastId, name, collation == null ? names.collation().name() : collation, clock);
    database.setReadCommittedSnapshot(product.azure());
    database.extend(install.apply(database));
    databases.put(name, database);
    return Optional.of(database);
  }

  /** How the server compares names: of databases and of variables. */
  TextOrder names() {
    return names;
  }

  Optional<Database> find(String name) {
    return databases.values().stream().filter(d -> names.same(d.name(), name)).findFirst();
  }

  /** Forgets it and frees its rows. */
  synchronized void drop(Database database) {
    databases.remove(database.name());
    database.extension().ifPresent(DatabaseExtension::databaseDropped);
    database.close();
  }

  List<Database> all() {
    return databases.values().stream().sorted(Comparator.comparingInt(Database::id)).toList();
  }

  @Override
  public void close() {
    all().forEach(this::drop);
  }
}
