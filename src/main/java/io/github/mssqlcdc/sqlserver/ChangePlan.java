package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.Lsn;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the server holds of (start, end] of one capture instance, in the order in which one
 * statement batch read it: max LSN first, min LSN last.
 *
 * @param maxLsn max LSN, read before the rows were counted; null when the map is empty
 * @param startAt raw time of the map's entry at the start's LSN; null if there is no such entry
 * @param endAt the same at the end's LSN
 * @param tiles parts of equal row counts or one more, in order; none without rows
 * @param minLsn min LSN of the instance, read after the rows were counted; null or zero when there
 *     is none to be seen
 * @param clock the server's clock and marks at that moment
 * @param ddl what changed the table's columns in (start, end], in order
 * @param instances change table ids of the table's capture instances that have a first LSN
 */
public record ChangePlan(
    @Nullable Lsn maxLsn,
    @Nullable LocalDateTime startAt,
    @Nullable LocalDateTime endAt,
    List<Tile> tiles,
    @Nullable Lsn minLsn,
    SourceMarks clock,
    List<DdlEntry> ddl,
    Set<Integer> instances) {

  public ChangePlan {
    tiles = List.copyOf(tiles);
    ddl = List.copyOf(ddl);
    instances = Set.copyOf(instances);
  }

  /**
   * @param first position of the tile's first row
   * @param rows its rows
   * @param begun how many rows of its first row's commit stand in tiles before it
   */
  public record Tile(ChangePosition first, long rows, long begun) {}
}
