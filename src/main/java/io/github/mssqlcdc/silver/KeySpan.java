package io.github.mssqlcdc.silver;

import static org.apache.spark.sql.functions.lit;

import org.apache.spark.sql.Column;
import org.jspecify.annotations.Nullable;

/**
 * Where the leading key of images lies, so that only silver's files in between are looked at.
 *
 * @param key the leading key
 * @param min its smallest value; null: not known
 * @param max its largest value; null likewise
 */
record KeySpan(String key, @Nullable Object min, @Nullable Object max) {

  Column within(Column condition) {
    return min == null || max == null
        ? condition
        : Names.ofTable(key).geq(lit(min)).and(Names.ofTable(key).leq(lit(max))).and(condition);
  }
}
