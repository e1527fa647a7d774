package io.github.mssqlcdc.testkit.history;

/**
 * One statement of a transaction. What it comes to depends on the rows that are there.
 *
 * @param table which of the two tables
 * @param id the row, or the lowest one, that it is about
 */
public record Statement(Kind kind, int table, int id) {
  /** Ids are below this. */
  public static final int IDS = 10;

  /** What statements do. */
  public enum Kind {
    /** Inserts the row, or updates it where it is there. */
    PUT,
    DELETE,
    /** Updates the row's key, where it is there and the new key is free. */
    MOVE,
    /** Updates all rows from this one on. */
    UPDATE_ALL,
    /** Deletes all rows from this one on. */
    DELETE_ALL
  }
}
