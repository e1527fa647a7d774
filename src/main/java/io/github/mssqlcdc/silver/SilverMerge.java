package io.github.mssqlcdc.silver;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.array_contains;
import static org.apache.spark.sql.functions.array_except;
import static org.apache.spark.sql.functions.array_intersect;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.size;
import static org.apache.spark.sql.functions.when;

import io.github.mssqlcdc.bronze.BronzeColumns;
import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.delta.table.Merge;
import io.github.mssqlcdc.delta.table.Merge.Clause;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * Folded images go into silver: a row takes an image only if that is newer than its own; an older
 * one fills what the row doesn't know.
 *
 * @param keys columns that identify a row
 * @param columns the captured ones, keys among them
 * @param marks what silver marks unknown values in; whether it has the column
 * @param since as in {@link ImageFold}
 */
record SilverMerge(List<String> keys, List<String> columns, Marks marks, @Nullable Position since) {

  /** Whether silver says which values it doesn't know. */
  enum Marks {
    UNKNOWN_VALUES,
    NONE
  }

  /**
   * @param folded as {@link ImageFold} makes them
   * @param span of the leading key among them
   */
  Merge merge(Dataset<Row> folded, KeySpan span, String note) {
    List<Clause> clauses = new ArrayList<>();
    clauses.add(new Clause.Delete(isNewer().and(Names.ofRow(Names.DELETED))));
    clauses.add(new Clause.Update(isNewer(), newer()));
    if (marks == Marks.UNKNOWN_VALUES) {
      clauses.add(new Clause.Update(fills(), filled()));
    }
    clauses.add(new Clause.Insert(not(Names.ofRow(Names.DELETED)), inserted()));
    return new Merge(folded, span.within(on()), clauses, null, note);
  }

  private Column on() {
    return keys.stream()
        .map(key -> Names.ofTable(key).eqNullSafe(Names.ofRow(key)))
        .reduce(Column::and)
        .orElseThrow();
  }

  private static Column isNewer() {
    Column held = Names.ofTable(BronzeColumns.HISTORY);
    Column given = Names.ofRow(BronzeColumns.HISTORY);
    return given
        .gt(held)
        .or(
            given
                .equalTo(held)
                .and(
                    Names.ofRow(BronzeColumns.START_LSN)
                        .gt(Names.ofTable(BronzeColumns.START_LSN))));
  }

  private Stream<String> values() {
    return columns.stream().filter(column -> !keys.contains(column));
  }

  private Map<String, Column> newer() {
    Map<String, Column> values = ofTheImage();
    if (marks == Marks.NONE) {
      values().forEach(column -> values.put(column, Names.ofRow(column)));
      return values;
    }
    Column fresh = Names.ofRow(Names.FRESH).or(isOfAnotherTime());
    values()
        .forEach(
            column ->
                values.put(
                    column,
                    when(
                            not(fresh)
                                .and(
                                    contains(
                                        unknownOf(Names.ofRow(BronzeColumns.UNKNOWN_COLUMNS)),
                                        column)),
                            Names.ofTable(column))
                        .otherwise(Names.ofRow(column))));
    Column both =
        array_intersect(
            unknownOf(Names.ofRow(BronzeColumns.UNKNOWN_COLUMNS)),
            unknownOf(Names.ofTable(BronzeColumns.UNKNOWN_COLUMNS)));
    values.put(
        BronzeColumns.UNKNOWN_COLUMNS,
        when(fresh, Names.ofRow(BronzeColumns.UNKNOWN_COLUMNS)).when(size(both).gt(0), both));
    return values;
  }

  private Column isOfAnotherTime() {
    return since == null
        ? lit(false)
        : BronzeRows.isBefore(since, Names::ofTable)
            .and(not(BronzeRows.isBefore(since, Names::ofRow)));
  }

  /** The image is no newer, but knows something that the row doesn't. */
  private static Column fills() {
    return not(Names.ofRow(Names.DELETED)).and(size(filling()).gt(0));
  }

  private static Column filling() {
    return array_except(
        unknownOf(Names.ofTable(BronzeColumns.UNKNOWN_COLUMNS)),
        unknownOf(Names.ofRow(BronzeColumns.UNKNOWN_COLUMNS)));
  }

  private Map<String, Column> filled() {
    Map<String, Column> values = new LinkedHashMap<>();
    values()
        .forEach(
            column ->
                values.put(
                    column,
                    when(contains(filling(), column), Names.ofRow(column))
                        .otherwise(Names.ofTable(column))));
    Column left =
        array_intersect(
            unknownOf(Names.ofTable(BronzeColumns.UNKNOWN_COLUMNS)),
            unknownOf(Names.ofRow(BronzeColumns.UNKNOWN_COLUMNS)));
    values.put(BronzeColumns.UNKNOWN_COLUMNS, when(size(left).gt(0), left));
    return values;
  }

  private Map<String, Column> inserted() {
    Map<String, Column> values = ofTheImage();
    columns.forEach(column -> values.put(column, Names.ofRow(column)));
    if (marks == Marks.UNKNOWN_VALUES) {
      values.put(BronzeColumns.UNKNOWN_COLUMNS, Names.ofRow(BronzeColumns.UNKNOWN_COLUMNS));
    }
    return values;
  }

  private static Map<String, Column> ofTheImage() {
    Map<String, Column> values = new LinkedHashMap<>();
    for (String name :
        List.of(BronzeColumns.START_LSN, BronzeColumns.COMMIT_TS, BronzeColumns.HISTORY)) {
      values.put(name, Names.ofRow(name));
    }
    return values;
  }

  private static Column unknownOf(Column names) {
    return coalesce(names, array().cast(DataTypes.createArrayType(DataTypes.StringType)));
  }

  private static Column contains(Column names, String name) {
    return array_contains(names, name);
  }
}
