package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The statement that finds the key at which so many rows end. What comes after a key is asked for
 * in pieces, each of them sought in the index and read no further than needed, never by one
 * condition on all columns, for which the whole range would be read.
 */
final class SeekSql {
  private final String table;
  private final KeySeek seek;
  private final List<KeyColumn> columns;

  /**
   * @param table quoted
   */
  SeekSql(String table, KeySeek seek) {
    this.table = table;
    this.seek = seek;
    this.columns = seek.columns();
  }

  /** Appends the statement; its answer is the key that is looked for, or nothing. */
  void addTo(Batch batch) {
    KeyBound from = seek.from();
    long skipped = from == null ? seek.rows() : seek.rows() - 1;
    batch.add("SELECT " + list("k") + " FROM (");
    if (from == null) {
      piece(batch, skipped + 1, where -> {});
    } else {
      for (int i = columns.size() - 1; i >= 0; i--) {
        int like = i;
        piece(batch, skipped + 1, where -> KeySql.after(where, columns, from, like));
        if (i > 0) {
          batch.add("UNION ALL");
        }
      }
    }
    batch.add(") AS k ORDER BY " + list("k"));
    batch.add("OFFSET ? ROWS FETCH NEXT 1 ROWS ONLY;", skipped);
  }

  private void piece(Batch batch, long rows, Consumer<Where> condition) {
    // ORDER BY isn't allowed in a branch of UNION, only inside a derived table
    batch.add("SELECT " + list("p") + " FROM (SELECT TOP (?) " + list("t"), rows);
    batch.add("FROM " + table + " AS t");
    Where where = new Where("t");
    condition.accept(where);
    KeyBound through = seek.through();
    if (through != null) {
      KeySql.through(where, columns, through);
    }
    where.filters(seek.filters()).addTo(batch);
    batch.add("ORDER BY " + list("t") + ") AS p");
  }

  private String list(String alias) {
    return columns.stream()
        .map(column -> alias + "." + Quoting.name(column.name()))
        .collect(Collectors.joining(", "));
  }
}
