package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.lsn.Lsn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A capture instance of a stream's table.
 *
 * <pre>{@code
 * for (CaptureInstanceStatus one : orders.captureInstances().run()) {
 *   System.out.println(one.name() + " from " + one.firstLsn() + ": " + one.need());
 * }
 * }</pre>
 *
 * @param name its name
 * @param columns what it captures, in its order
 * @param firstLsn the first LSN from which it has changes; cleanup moves it; null: capture hasn't
 *     seen it yet
 * @param lastLsn the last LSN at which it is read, before the next one takes over; null: it is the
 *     newest
 * @param need whether the stream still needs it
 */
public record CaptureInstanceStatus(
    String name, List<String> columns, @Nullable Lsn firstLsn, @Nullable Lsn lastLsn, Need need) {

  /** Whether a stream still needs a capture instance. */
  public enum Need {
    /** Its changes aren't all read yet, or it is the newest one. */
    NEEDED,
    /** All that the stream reads of it is in the facts: it may be disabled. */
    DONE,
    /** Without a facts table nobody can say. */
    UNKNOWN
  }

  public CaptureInstanceStatus {
    columns = List.copyOf(columns);
  }
}
