package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.lsn.Lsn;
import java.io.Serializable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells an empty read from one whose rows are gone or not there yet. A purged part of a change
 * table reads as empty, and so does one that a lagging replica hasn't got.
 *
 * @param captureInstance the instance's name
 * @param onLoss what to do when changes are gone
 */
record RetentionGuard(String captureInstance, OnLoss onLoss) implements Serializable {

  enum OnLoss {
    FAIL,
    SKIP
  }

  /**
   * Checks that the server has everything up to a read's end.
   *
   * @param maxLsn max LSN as read before the rows
   * @throws SourceBehindException if it has not
   */
  void requireReached(@Nullable Lsn maxLsn, Lsn end) {
    if (maxLsn == null || maxLsn.isZero()) {
      throw new CdcException(
          ErrorCode.SOURCE_FAILED,
          "Cannot read the changes of capture instance '"
              + captureInstance
              + "' up to "
              + end
              + ": the database's LSN map is empty now. CDC was disabled and enabled again, or the"
              + " database was restored: a new snapshot is required then. Or cleanup has emptied it"
              + " while nothing happened in the database: the next commit captured shows");
    }
    if (maxLsn.isBefore(end)) {
      throw new SourceBehindException(
          "Cannot read the changes of capture instance '"
              + captureInstance
              + "' up to "
              + end
              + ": the server has captured up to "
              + maxLsn
              + " only. A replica that lags behind the server of the last poll looks like this; try"
              + " again later");
    }
  }

  /**
   * Checks that nothing of a read is gone.
   *
   * @param cause asked for if something is: how it came about
   * @param firstPossible the lowest LSN at which the read could find a commit
   * @param minLsn min LSN as read after the rows
   * @return null if everything is there; else, where a loss is to be skipped, the min LSN: what is
   *     below it is gone
   * @throws DataLossException if a loss isn't to be skipped
   */
  @Nullable Lsn lostBelow(Lsn firstPossible, @Nullable Lsn minLsn, Supplier<String> cause) {
    if (minLsn == null || minLsn.isZero()) {
      throw new CdcException(
          ErrorCode.SOURCE_FAILED,
          "Cannot tell which changes of capture instance '"
              + captureInstance
              + "' are still there: the server shows no min LSN. The instance was disabled, the"
              + " login has lost its rights on it (SELECT on the source table, and the gating role"
              + " where there is one), or capture has not reached a new instance of this name yet");
    }
    if (!minLsn.isAfter(firstPossible)) {
      return null;
    }
    if (onLoss == OnLoss.FAIL) {
      throw new DataLossException(
          "Cannot read the changes of capture instance '"
              + captureInstance
              + "' from "
              + firstPossible
              + " on: min LSN is "
              + minLsn
              + " now, "
              + cause.get()
              + ". A new snapshot is required. With failOnDataLoss=false the stream would skip to"
              + " min LSN and leave the gap");
    }
    return minLsn;
  }
}
