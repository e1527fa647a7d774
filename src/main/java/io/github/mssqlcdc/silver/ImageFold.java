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

import io.github.mssqlcdc.bronze.Position;
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

  private static final int DELETE = 1;
  private static final int BEFORE = 3;
  private static final int AFTER = 4;

  private static final String REMOVES = "_removes";
  private static final String PLACE = "_place";
  private static final String LATEST = "_latest";
  private static final String REMOVED = "_removed";
  private static final String KNOWN = "_known_";

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
      Names.col(Names.HISTORY),
      Names.col(Names.START_LSN),
      Names.col(Names.COMMAND_ID),
      Names.col(Names.SEQVAL)
    };
    Column isGivenBack =
        lead(struct(place), 1)
            .over(inOrder)
            .eqNullSafe(struct(place))
            .and(lead(Names.col(Names.OPERATION), 1).over(inOrder).equalTo(AFTER));
    Column operation = Names.col(Names.OPERATION);
    return operation
        .equalTo(DELETE)
        .or(operation.equalTo(BEFORE).and(coalesce(isGivenBack, lit(false)).equalTo(false)));
  }

  private static List<Column> order() {
    return Stream.of(
            Names.HISTORY, Names.START_LSN, Names.COMMAND_ID, Names.SEQVAL, Names.OPERATION)
        .map(name -> Names.col(name).asc_nulls_first())
        .toList();
  }

  /**
   * Where an image stands. A statement that moves rows to keys of others takes all from theirs
   * before it puts one anywhere, whatever its order of rows.
   */
  private static Column place() {
    Column command = Names.col(Names.COMMAND_ID);
    Column isMovedAway =
        Names.col(REMOVES).and(Names.col(Names.OPERATION).equalTo(BEFORE)).and(command.isNotNull());
    return struct(
        Names.col(Names.HISTORY),
        Names.col(Names.START_LSN),
        coalesce(command, lit(-1)),
        when(isMovedAway, lit(0)).otherwise(lit(1)),
        coalesce(Names.col(Names.SEQVAL), lit("")),
        Names.col(Names.OPERATION),
        Names.col(Names.CARRIED));
  }

  private Column latest() {
    List<Column> held = new ArrayList<>();
    for (String name :
        List.of(Names.OPERATION, Names.HISTORY, Names.START_LSN, Names.COMMIT_TS, Names.UNKNOWN)) {
      held.add(Names.col(name));
    }
    columns.stream().filter(column -> !keys.contains(column)).map(Names::col).forEach(held::add);
    return max_by(struct(held.toArray(Column[]::new)), Names.col(PLACE)).as(LATEST);
  }

  private static Column newestKnown(String column) {
    Column isKnown =
        coalesce(array_contains(Names.col(Names.UNKNOWN), column), lit(false))
            .equalTo(false)
            .and(Names.col(REMOVES).equalTo(false))
            .and(Names.col(Names.OPERATION).notEqual(ABSENT));
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
    Column operation = latest.getField(Names.OPERATION);
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
    for (String name : List.of(Names.START_LSN, Names.COMMIT_TS, Names.HISTORY)) {
      result.add(latest.getField(name).as(name));
    }
    Column unknownStill =
        found.isEmpty()
            ? latest.getField(Names.UNKNOWN)
            : array_except(
                latest.getField(Names.UNKNOWN), array_compact(array(found.toArray(Column[]::new))));
    result.add(when(size(unknownStill).gt(0), unknownStill).as(Names.UNKNOWN));
    result.add(operation.isin(DELETE, BEFORE, ABSENT).as(Names.DELETED));
    result.add(Names.col(REMOVED).isNotNull().as(Names.FRESH));
    return result.toArray(Column[]::new);
  }
}
