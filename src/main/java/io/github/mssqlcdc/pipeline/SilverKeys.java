package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.silver.ApplyChanges;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** What tells the rows of a silver table apart. */
record SilverKeys(
    SparkSession spark, Map<String, String> options, LakeTable bronze, LakeTable silver) {

  /**
   * The columns, as bronze spells them.
   *
   * @param given by the caller; null: found out, which asks the source only where silver is new
   * @throws io.github.mssqlcdc.error.InvalidRequestException if there are none, bronze doesn't have
   *     them, or silver was made with others
   */
  List<String> of(@Nullable List<String> given) {
    List<String> made = ApplyChanges.keysOf(silver).orElse(null);
    if (given == null && made != null) {
      return spelt(made);
    }
    List<String> keys = spelt(given == null ? ofTheIndex() : given);
    if (made != null && !made.equals(keys)) {
      throw Arguments.invalid(
          "Invalid keys "
              + keys
              + ": the rows of '"
              + silver.ref()
              + "' are told apart by "
              + made
              + "; give these, or name a new silver table");
    }
    return keys;
  }

  private List<String> ofTheIndex() {
    Source source = Source.reach(spark, options);
    List<String> index = source.instance().keyColumns();
    if (index.isEmpty()) {
      throw Arguments.invalid(
          "Missing keys: CDC knows of no unique index of "
              + source.instance().description()
              + ", so nothing says which row a change belongs to. Name the columns that identify a"
              + " row with .keys(…); without such columns read '"
              + bronze.ref()
              + "' as the change log it is");
    }
    return index;
  }

  private List<String> spelt(List<String> names) {
    if (names.isEmpty()) {
      throw Arguments.invalid(
          "Missing keys: .keys() names no column; give at least one, or leave it out");
    }
    List<String> columns = ApplyChanges.columnsOf(bronze);
    List<String> spelt = new ArrayList<>();
    for (String name : names) {
      spelt.add(
          columns.stream()
              .filter(column -> column.equalsIgnoreCase(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      Arguments.invalid(
                          "Invalid key '"
                              + name
                              + "': '"
                              + bronze.ref()
                              + "' has no such column; it has "
                              + columns)));
    }
    if (new LinkedHashSet<>(spelt).size() < spelt.size()) {
      throw Arguments.invalid("Invalid keys " + spelt + ": a column is named twice");
    }
    return spelt;
  }
}
