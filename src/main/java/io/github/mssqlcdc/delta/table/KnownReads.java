package io.github.mssqlcdc.delta.table;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.spark.sql.delta.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * What was read of a table, for as long as it is at the version that it was read at: a look at the
 * log instead of a Spark job. Not thread-safe.
 */
public final class KnownReads {
  private final LakeTable table;
  private final Map<Object, Object> results = new HashMap<>();
  private @Nullable State of;

  private record State(String id, long version) {}

  public KnownReads(LakeTable table) {
    this.table = table;
  }

  /**
   * The result of a read, which may be of a version that came after the look at the log.
   *
   * @param what tells the read from others of the table
   */
  @SuppressWarnings("unchecked")
  public <T extends Object> T get(Object what, Supplier<T> read) {
    Snapshot snapshot = table.open().snapshot();
    State now = new State(snapshot.metadata().id(), snapshot.version());
    if (!Objects.equals(now, of)) {
      results.clear();
      of = now;
    }
    Object known = results.get(what);
    if (known == null) {
      known = read.get();
      results.put(what, known);
    }
    return (T) known;
  }
}
