package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.SchemaChangedException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells errors of the library apart where Spark has wrapped them, also as mere text, which is what
 * a remote session hands on.
 *
 * <pre>{@code
 * try {
 *   query.awaitTermination();
 * } catch (StreamingQueryException e) {
 *   if (CdcErrors.isDataLoss(e)) {
 *     // take a new snapshot
 *   }
 * }
 * }</pre>
 */
public final class CdcErrors {
  private static final int DEPTH = 50;

  private CdcErrors() {}

  /**
   * Whether changes are lost, so that a new snapshot is required.
   *
   * <pre>{@code
   * if (CdcErrors.isDataLoss(e)) { … }
   * }</pre>
   */
  public static boolean isDataLoss(@Nullable Throwable error) {
    return is(error, DataLossException.class);
  }

  /**
   * Whether the source's columns no longer fit.
   *
   * <pre>{@code
   * if (CdcErrors.isSchemaChanged(e)) { … }
   * }</pre>
   */
  public static boolean isSchemaChanged(@Nullable Throwable error) {
    return is(error, SchemaChangedException.class);
  }

  private static boolean is(@Nullable Throwable error, Class<? extends Throwable> kind) {
    return error != null
        && Stream.iterate(error, e -> e != null, Throwable::getCause)
            .limit(DEPTH)
            .anyMatch(
                e ->
                    kind.isInstance(e)
                        || e.getMessage() != null && e.getMessage().contains(kind.getName()));
  }
}
