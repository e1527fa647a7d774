package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.Product;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Catalog;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The server's databases. Thread-safe. */
final class Databases implements AutoCloseable {
  private final Map<String, Database> databases = new ConcurrentHashMap<>();
  private final ServerClock clock;
  private final Product product;
  private final Function<DatabaseStore, DatabaseExtension> install;
  private int lastId;

  /**
   * @param install told of each database made, to add Change Data Capture to it
   */
  Databases(
      ServerClock clock, Product product, Function<DatabaseStore, DatabaseExtension> install) {
    this.clock = clock;
    this.product = product;
    this.install = install;
    for (String name : List.of("master", "tempdb", "model", "msdb")) {
      databases.put(name, new Database(++lastId, name, Catalog.COLLATION, clock));
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
        new Database(++lastId, name, collation == null ? Catalog.COLLATION : collation, clock);
    database.setReadCommittedSnapshot(product.azure());
    database.extend(install.apply(database));
    databases.put(name.toLowerCase(Locale.ROOT), database);
    return Optional.of(database);
  }

  Optional<Database> find(String name) {
    return Optional.ofNullable(databases.get(name.toLowerCase(Locale.ROOT)));
  }

  /** Forgets it and frees its rows. */
  synchronized void drop(Database database) {
    databases.remove(database.name().toLowerCase(Locale.ROOT));
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
