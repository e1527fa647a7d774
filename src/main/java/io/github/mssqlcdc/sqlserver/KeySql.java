package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The conditions of a key range, and of the rows after a key. */
final class KeySql {
  private static final String TRUE = "1 = 1";
  private static final String FALSE = "1 = 0";

  private final Where where;
  private final List<KeyColumn> columns;

  private KeySql(Where where, List<KeyColumn> columns) {
    this.where = where;
    this.columns = columns;
  }

  /** Adds the conditions of a range, none where it is open at both ends. */
  static void range(Where where, KeyRange range) {
    KeySql sql = new KeySql(where, range.columns());
    KeyBound lo = range.lo();
    KeyBound hi = range.hi();
    if (lo != null) {
      where.and(sql.notBefore(lo, ">="));
    }
    if (hi != null) {
      where.and(sql.before(hi, lo == null || lo.values().get(0) == null));
    }
  }

  /** Adds the condition of all that comes after a key, whose columns are never NULL. */
  static void after(Where where, List<KeyColumn> columns, KeyBound key) {
    where.and(new KeySql(where, columns).notBefore(key, ">"));
  }

  /**
   * Adds the conditions of one piece of what comes after a key: rows that are like it in the first
   * columns and after it in the next. An index that begins with the columns is sought for each
   * piece; the pieces of all columns, the last one first, are all rows after it in their order.
   *
   * @param like how many columns are like the key's
   */
  static void after(Where where, List<KeyColumn> columns, KeyBound key, int like) {
    KeySql sql = new KeySql(where, columns);
    for (int i = 0; i < like; i++) {
      where.and(sql.equal(i, key.values().get(i)));
    }
    where.and(sql.after(like, key.values().get(like)));
  }

  /** Adds the condition of the keys up to this one, NULLs and the key itself included. */
  static void through(Where where, List<KeyColumn> columns, KeyBound key) {
    where.and(new KeySql(where, columns).before(key, 0, true, "<="));
  }

  /**
   * @param last how the last column compares: with {@code >} the bound itself is left out
   */
  private String notBefore(KeyBound lo, String last) {
    String leading = lo.values().get(0);
    // an index can be sought by the leading column alone; the rest only sorts out its ties
    String seek = columns.size() == 1 || leading == null ? "" : compare(0, ">=", leading) + " AND ";
    return seek + notBefore(lo, last, 0);
  }

  private String notBefore(KeyBound lo, String last, int i) {
    String value = lo.values().get(i);
    if (i == columns.size() - 1) {
      return value == null ? TRUE : compare(i, last, value);
    }
    String after = after(i, value);
    String at = equal(i, value);
    return "(" + after + " OR (" + at + " AND " + notBefore(lo, last, i + 1) + "))";
  }

  /**
   * @param nulls whether the leading column may be NULL here, which comes before all values
   */
  private String before(KeyBound hi, boolean nulls) {
    String leading = hi.values().get(0);
    String seek =
        columns.size() == 1 || leading == null || nulls ? "" : compare(0, "<=", leading) + " AND ";
    return seek + before(hi, 0, nulls, "<");
  }

  /**
   * @param last how the last column is compared: {@code <}, or {@code <=} for the bound's own key
   */
  private String before(KeyBound hi, int i, boolean nulls, String last) {
    String value = hi.values().get(i);
    boolean isLast = i == columns.size() - 1;
    if (value == null) {
      String isNull = where.isNull(columns.get(i));
      return isLast
          ? (last.equals("<") ? FALSE : isNull)
          : "(" + isNull + " AND " + before(hi, i + 1, true, last) + ")";
    }
    List<String> either = new ArrayList<>();
    either.add(compare(i, isLast ? last : "<", value));
    if (nulls) {
      either.add(where.isNull(columns.get(i)));
    }
    if (!isLast) {
      either.add("(" + equal(i, value) + " AND " + before(hi, i + 1, true, last) + ")");
    }
    return either.size() == 1 ? either.get(0) : "(" + String.join(" OR ", either) + ")";
  }

  private String after(int i, @Nullable String value) {
    return value == null ? where.isNotNull(columns.get(i)) : compare(i, ">", value);
  }

  private String equal(int i, @Nullable String value) {
    return value == null ? where.isNull(columns.get(i)) : compare(i, "=", value);
  }

  private String compare(int i, String operator, String value) {
    if (columns.get(i).isPastEnd(value)) {
      // the column's type doesn't have it; where NULLs don't belong, the lower bound keeps them out
      return operator.startsWith("<") ? TRUE : FALSE;
    }
    return where.compare(columns.get(i), operator, value);
  }
}
