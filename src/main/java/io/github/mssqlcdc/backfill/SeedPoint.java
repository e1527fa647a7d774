package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.lsn.Lsn;
import java.time.Duration;
import java.time.Instant;

/** Where a copy of the table ends: it has every commit at or before this. */
public sealed interface SeedPoint {

  /**
   * The time at which the copy was begun.
   *
   * @param margin how much its clock may be ahead of the server's
   */
  record Time(Instant asOf, Duration margin) implements SeedPoint {
    @Override
    public String toString() {
      return asOf.toString();
    }
  }

  /** An LSN that was recorded on the server before the copy was begun. */
  record Position(Lsn lsn) implements SeedPoint {
    @Override
    public String toString() {
      return lsn.toString();
    }
  }
}
