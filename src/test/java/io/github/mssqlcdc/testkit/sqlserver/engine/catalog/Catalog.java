package io.github.mssqlcdc.testkit.sqlserver.engine.catalog;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.TextOrder;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** What one database holds, without its rows. Thread-safe. */
public final class Catalog {
  private static final int FIRST_ALIAS_ID = 257;

  private final TextOrder names;
  private final ConcurrentMap<Integer, Table> tables = new ConcurrentHashMap<>();
  private final Map<String, Integer> schemas = new TreeMap<>();
  private final AtomicInteger lastObjectId = new AtomicInteger(901_578_250);
  private final List<AliasType> aliases = new CopyOnWriteArrayList<>();
  private final Security security = new Security();

  public Catalog(String collation) {
    this.names = TextOrder.of(collation);
    addSchema("dbo");
    addSchema("guest");
    addSchema("INFORMATION_SCHEMA");
    addSchema("sys");
  }

  public String collation() {
    return names.collation().name();
  }

  /** How names of objects compare. */
  public TextOrder names() {
    return names;
  }

  public Security security() {
    return security;
  }

  /** An id never given before; SQL Server's step, so that ids aren't taken for small numbers. */
  public int nextObjectId() {
    return lastObjectId.updateAndGet(id -> (id + 16_000_057) & Integer.MAX_VALUE);
  }

  /** Returns false if it was there. */
  public boolean addSchema(String name) {
    synchronized (schemas) {
      return schemas.keySet().stream().noneMatch(schema -> names.same(schema, name))
          && schemas.putIfAbsent(name, schemas.size() + 1) == null;
    }
  }

  public void dropSchema(String name) {
    synchronized (schemas) {
      schemas.keySet().removeIf(schema -> names.same(schema, name));
    }
  }

  /** Ids by name as first written. */
  public Map<String, Integer> schemas() {
    synchronized (schemas) {
      return new TreeMap<>(schemas);
    }
  }

  /** The schema's name as it was created. */
  public Optional<String> schema(String name) {
    return schemas().keySet().stream().filter(s -> names.same(s, name)).findFirst();
  }

  public int schemaId(String name) {
    return schema(name).map(schemas()::get).orElse(0);
  }

  /** Adds an alias type; returns false if the name is taken. */
  public synchronized boolean addAlias(
      String schema, String name, DataType base, boolean nullable) {
    if (alias(schema, name).isPresent()) {
      return false;
    }
    aliases.add(new AliasType(FIRST_ALIAS_ID + aliases.size(), schema, name, base, nullable));
    return true;
  }

  public Optional<AliasType> alias(String schema, String name) {
    return aliases.stream()
        .filter(a -> names.same(a.schema(), schema) && names.same(a.name(), name))
        .findFirst();
  }

  public List<AliasType> aliases() {
    return List.copyOf(aliases);
  }

  public void put(Table table) {
    tables.put(table.objectId(), table);
  }

  public void remove(int objectId) {
    tables.remove(objectId);
    security.forget("O" + objectId);
  }

  public Optional<Table> table(int objectId) {
    return Optional.ofNullable(tables.get(objectId));
  }

  public Optional<Table> table(String schema, String name) {
    return tables.values().stream()
        .filter(t -> names.same(t.schema(), schema) && names.same(t.name(), name))
        .findFirst();
  }

  /** All, by object id. */
  public List<Table> tables() {
    return tables.values().stream().sorted(Comparator.comparingInt(Table::objectId)).toList();
  }
}
