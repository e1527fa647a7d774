package io.github.mssqlcdc.silver;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.array_compact;
import static org.apache.spark.sql.functions.array_contains;
import static org.apache.spark.sql.functions.array_except;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.lead;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.max_by;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.size;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.when;

import io.github.mssqlcdc.bronze.BronzeColumns;
import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.delta.table.ColumnNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.expressions.WindowSpec;
import org.jspecify.annotations.Nullable;

/**
 * The images of each key become one: the latest, whose unknown values are the newest known ones
 * before it, but for those from before a removal of the key.
 *
 * @param keys columns that identify a row; NULL is a value like others
 * @param columns the captured ones, keys among them
 * @param unknown those of them that some image doesn't carry
 * @param since images from before it tell nothing of later ones: changes may be lost in between.
 *     Null: there is no such place
 */
record ImageFold(
    List<String> keys, List<String> columns, Set<String> unknown, @Nullable Position since) {
  /** Operation of a row that isn't in a snapshot, which counts as a delete before its rows. */
  static final int ABSENT = -1;

  /** Operation of what an image under an older key tells; it comes right before the row's own. */
  static final int CARRIED = -2;

  static final int DELETE = 1;
  static final int BEFORE = 3;
  static final int AFTER = 4;

  private static final String REMOVES = ColumnNames.WORKING + "removes";
  private static final String PLACE = ColumnNames.WORKING + "place";
  private static final String LATEST = ColumnNames.WORKING + "latest";
  private static final String REMOVED = ColumnNames.WORKING + "removed";
  private static final String KNOWN = ColumnNames.WORKING + "known_";

  ImageFold {
    keys = List.copyOf(keys);
    columns = List.copyOf(columns);
    unknown = Set.copyOf(unknown);
  }

  /**
   * @param images bronze's columns
   * @return the captured columns, those of silver, and whether the key is gone, or was
   */
  Dataset<Row> fold(Dataset<Row> images) {
    Dataset<Row> placed = images.withColumn(REMOVES, removes()).withColumn(PLACE, place());
    List<Column> folded = new ArrayList<>();
    folded.add(max(when(Names.col(REMOVES), Names.col(PLACE))).as(REMOVED));
    List<String> known = carried();
    for (int i = 0; i < known.size(); i++) {
      folded.add(newestKnown(known.get(i)).as(KNOWN + i));
    }
    Dataset<Row> grouped =
        placed
            .groupBy(keys.stream().map(Names::col).toArray(Column[]::new))
            .agg(latest(), folded.toArray(Column[]::new));
    return grouped.select(result(known));
  }

  private List<String> carried() {
    return columns.stream()
        .filter(column -> unknown.contains(column) && !keys.contains(column))
        .toList();
  }

  /** A before-image takes its key away, unless the image after it gives it back. */
  private Column removes() {
    WindowSpec inOrder =
        Window.partitionBy(keys.stream().map(Names::col).toArray(Column[]::new))
            .orderBy(order().toArray(Column[]::new));
    Column[] place = {
      Names.col(BronzeColumns.HISTORY),
      Names.col(BronzeColumns.START_LSN),
      Names.col(BronzeColumns.COMMAND_ID),
      Names.col(BronzeColumns.SEQVAL)
    };
    Column isGivenBack =
        lead(struct(place), 1)
            .over(inOrder)
            .eqNullSafe(struct(place))
            .and(lead(Names.col(BronzeColumns.OPERATION), 1).over(inOrder).equalTo(AFTER));
    Column operation = Names.col(BronzeColumns.OPERATION);
    return operation
        .equalTo(DELETE)
        .or(operation.equalTo(BEFORE).and(coalesce(isGivenBack, lit(false)).equalTo(false)));
  }

  private static List<Column> order() {
    return Stream.of(
            BronzeColumns.HISTORY,
            BronzeColumns.START_LSN,
            BronzeColumns.COMMAND_ID,
            BronzeColumns.SEQVAL,
            BronzeColumns.OPERATION)
        .map(name -> Names.col(name).asc_nulls_first())
        .toList();
  }

  /**
   * Where an image stands. A row of a snapshot has seen the commit that it is stamped with. A
   * statement that moves rows to keys of others takes all from theirs before it puts one anywhere,
   * whatever its order of rows.
   */
  private static Column place() {
    Column command = Names.col(BronzeColumns.COMMAND_ID);
    Column operation = Names.col(BronzeColumns.OPERATION);
    Column isMovedAway = Names.col(REMOVES).and(operation.equalTo(BEFORE)).and(command.isNotNull());
    return struct(
        Names.col(BronzeColumns.HISTORY),
        Names.col(BronzeColumns.START_LSN),
        when(operation.equalTo(BronzeColumns.SNAPSHOT_ROW), lit(Integer.MAX_VALUE))
            .otherwise(coalesce(command, lit(-1))),
        when(isMovedAway, lit(0)).otherwise(lit(1)),
        coalesce(Names.col(BronzeColumns.SEQVAL), lit("")),
        operation,
        Names.col(Names.CARRIED));
  }

  private Column latest() {
    List<Column> held = new ArrayList<>();
    for (String name :
        List.of(
            BronzeColumns.OPERATION,
            BronzeColumns.HISTORY,
            BronzeColumns.START_LSN,
            BronzeColumns.COMMIT_TS,
            BronzeColumns.UNKNOWN_COLUMNS)) {
      held.add(Names.col(name));
    }
    columns.stream().filter(column -> !keys.contains(column)).map(Names::col).forEach(held::add);
    return max_by(struct(held.toArray(Column[]::new)), Names.col(PLACE)).as(LATEST);
  }

  private static Column newestKnown(String column) {
    Column isKnown =
        coalesce(array_contains(Names.col(BronzeColumns.UNKNOWN_COLUMNS), column), lit(false))
            .equalTo(false)
            .and(Names.col(REMOVES).equalTo(false))
            .and(Names.col(BronzeColumns.OPERATION).notEqual(ABSENT));
    return max_by(
        when(isKnown, struct(Names.col(PLACE).as("place"), Names.col(column).as("value"))),
        when(isKnown, Names.col(PLACE)));
  }

  private Column isOfOneTime(Column older, Column newer) {
    return since == null
        ? lit(true)
        : BronzeRows.isBefore(since, newer::getField)
            .or(not(BronzeRows.isBefore(since, older::getField)));
  }

  private Column[] result(List<String> known) {
    Column latest = Names.col(LATEST);
    Column operation = latest.getField(BronzeColumns.OPERATION);
    List<Column> result = new ArrayList<>();
    List<Column> found = new ArrayList<>();
    for (String column : columns) {
      int at = known.indexOf(column);
      if (keys.contains(column)) {
        result.add(Names.col(column));
      } else if (at < 0) {
        result.add(latest.getField(column).as(column));
      } else {
        Column carried = Names.col(KNOWN + at);
        Column counts =
            carried
                .isNotNull()
                .and(
                    Names.col(REMOVED)
                        .isNull()
                        .or(carried.getField("place").gt(Names.col(REMOVED))))
                .and(isOfOneTime(carried.getField("place"), latest));
        result.add(when(counts, carried.getField("value")).as(column));
        found.add(when(counts, lit(column)));
      }
    }
    for (String name :
        List.of(BronzeColumns.START_LSN, BronzeColumns.COMMIT_TS, BronzeColumns.HISTORY)) {
      result.add(latest.getField(name).as(name));
    }
    Column unknownStill =
        found.isEmpty()
            ? latest.getField(BronzeColumns.UNKNOWN_COLUMNS)
            : array_except(
                latest.getField(BronzeColumns.UNKNOWN_COLUMNS),
                array_compact(array(found.toArray(Column[]::new))));
    result.add(when(size(unknownStill).gt(0), unknownStill).as(BronzeColumns.UNKNOWN_COLUMNS));
    result.add(operation.isin(DELETE, BEFORE, ABSENT).as(Names.DELETED));
    result.add(Names.col(REMOVED).isNotNull().as(Names.FRESH));
    return result.toArray(Column[]::new);
  }
}
