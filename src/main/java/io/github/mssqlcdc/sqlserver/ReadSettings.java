package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.options.Isolation;
import io.github.mssqlcdc.options.SourceOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What stands in front of each read of the source table.
 *
 * @param lockTimeout how long it waits for a lock; null: as the server does
 */
record ReadSettings(Isolation isolation, @Nullable Duration lockTimeout) {

  static ReadSettings of(SourceOptions options) {
    return new ReadSettings(options.isolation(), options.lockTimeout());
  }

  /** A batch that begins with all of them. */
  Batch all() {
    return waiting()
        .add(
            isolation == Isolation.SNAPSHOT
                ? "SET TRANSACTION ISOLATION LEVEL SNAPSHOT;"
                : LsnReads.READ_COMMITTED);
  }

  /** A batch that begins with the lock timeout alone. */
  Batch waiting() {
    Batch batch = new Batch();
    if (lockTimeout != null) {
      // takes no parameter: T-SQL wants a number here
      batch.add("SET LOCK_TIMEOUT " + lockTimeout.toMillis() + ";");
    }
    return batch;
  }
}
