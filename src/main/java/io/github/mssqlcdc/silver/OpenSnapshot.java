package io.github.mssqlcdc.silver;

import io.github.mssqlcdc.bronze.Position;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the facts say of the newest chunked snapshot.
 *
 * @param position where it stands
 * @param keys columns that it is cut on
 * @param state whether all of it is in bronze
 */
public record OpenSnapshot(Position position, List<String> keys, State state) {
  /** Whether waves are still to come. */
  public enum State {
    OPEN,
    COMPLETE
  }

  public OpenSnapshot {
    keys = List.copyOf(keys);
  }

  /** Its position if it is open. */
  static @Nullable Position open(@Nullable OpenSnapshot snapshot) {
    return snapshot != null && snapshot.state == State.OPEN ? snapshot.position : null;
  }

  /** Its position if it is complete. */
  static @Nullable Position complete(@Nullable OpenSnapshot snapshot) {
    return snapshot != null && snapshot.state == State.COMPLETE ? snapshot.position : null;
  }
}
