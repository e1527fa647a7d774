package io.github.mssqlcdc.bronze;

import io.github.mssqlcdc.offset.Offset;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that is appended as a whole.
 *
 * @param origin where its rows are from
 * @param captureInstance that its rows are of
 * @param asOf the time that the caller gave for a copy; null: none
 * @param stamp what its rows are stamped with
 * @param history the history of the source that they belong to
 * @param number as {@link BronzeTable#nextWhole} gave it
 * @param proof called when the rows are written and before they are committed; what it throws gives
 *     them up. It gives the server's max LSN by then, with the map's time: how far the rows may
 *     have seen, null if not known
 */
public record WholeRows(
    Origin origin,
    String captureInstance,
    @Nullable Instant asOf,
    Offset stamp,
    int history,
    long number,
    Supplier<@Nullable Offset> proof) {

  /** Where a snapshot's rows are from. */
  public enum Origin {
    TABLE,
    /** A copy from elsewhere: a seed. */
    COPY
  }

  /** One that is read from the source's table. */
  public static WholeRows ofTable(
      String captureInstance,
      Offset stamp,
      int history,
      long number,
      Supplier<@Nullable Offset> proof) {
    return new WholeRows(Origin.TABLE, captureInstance, null, stamp, history, number, proof);
  }

  /** A copy from elsewhere. */
  public static WholeRows ofCopy(
      String captureInstance,
      @Nullable Instant asOf,
      Offset stamp,
      int history,
      long number,
      Supplier<@Nullable Offset> proof) {
    return new WholeRows(Origin.COPY, captureInstance, asOf, stamp, history, number, proof);
  }

  /**
   * What its commit says of it.
   *
   * @param high as the proof gave it; null if it wasn't asked
   */
  String note(@Nullable Offset high) {
    return origin == Origin.TABLE
        ? CommitNote.ofSnapshot(captureInstance, stamp, history, high)
        : CommitNote.ofSeed(captureInstance, asOf, stamp, history, high);
  }
}
