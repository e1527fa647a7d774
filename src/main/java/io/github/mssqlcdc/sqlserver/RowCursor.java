package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one statement batch on one connection: max LSN has been read and checked before the
 * first row, the marks that prove the range whole come after the last. Not thread-safe.
 */
public interface RowCursor {

  /** Moves to the next row; false after the last. */
  boolean next() throws SQLException;

  /** The row stood on, its columns in the order in which they were asked for, from 1. */
  ResultSet row();

  /**
   * Says that the rows up to the one stood on aren't needed again once the work that reads them has
   * succeeded.
   */
  void mark() throws SQLException;

  /**
   * What the same statement batch read after the rows. Call it once, after {@link #next} has
   * returned false.
   */
  Tail tail() throws SQLException;

  /**
   * @param minLsn min LSN of the instance; null or zero if there is none to be seen
   * @param maxLsn max LSN after the rows; null when the map is empty
   * @param networkWaitMs how long the session waited on sending to us during this read; null where
   *     the server doesn't tell, or another connection has read a part
   */
  record Tail(@Nullable Lsn minLsn, @Nullable Lsn maxLsn, @Nullable Long networkWaitMs) {}
}
