package io.github.mssqlcdc.registry;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * The one place for what the streams of a JVM share: connection pools, polls of max LSN, ledgers.
 * What can be closed is closed when the JVM ends. Thread-safe.
 */
public final class JvmRegistry {
  private static final ConcurrentMap<Key, Object> SHARED = new ConcurrentHashMap<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(JvmRegistry::closeAll, "mssql-cdc-shutdown"));
  }

  private JvmRegistry() {}

  /** The object of this kind and key; made by {@code create}, once, if there is none yet. */
  public static <T> T shared(Class<T> kind, Object key, Supplier<T> create) {
    return kind.cast(SHARED.computeIfAbsent(new Key(kind, key), unused -> create.get()));
  }

  public static <T> Optional<T> find(Class<T> kind, Object key) {
    return Optional.ofNullable(kind.cast(SHARED.get(new Key(kind, key))));
  }

  /** Forgets it; whoever holds it keeps it. */
  public static <T> Optional<T> remove(Class<T> kind, Object key) {
    return Optional.ofNullable(kind.cast(SHARED.remove(new Key(kind, key))));
  }

  private static void closeAll() {
    for (Object shared : SHARED.values()) {
      if (shared instanceof AutoCloseable closeable) {
        try {
          closeable.close();
        } catch (Exception e) {
          // the JVM ends, and with it what is left
        }
      }
    }
  }

  private record Key(Class<?> kind, Object key) {}
}
