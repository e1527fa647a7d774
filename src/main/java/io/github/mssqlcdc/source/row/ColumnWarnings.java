package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.ReadColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Columns whose values aren't what the table shows: told once, where a read is set up. */
public final class ColumnWarnings {
  private static final Logger LOG = LoggerFactory.getLogger(ColumnWarnings.class);

  private ColumnWarnings() {}

  /**
   * @param columns option {@code columns}; null: all are read
   */
  public static void log(CapturedTable table, @Nullable String columns) {
    of(table, columns).forEach(LOG::warn);
  }

  /**
   * As {@link #log}, for who reads changes: also of columns that aren't read, and of a change table
   * without command ids.
   *
   * @param columns option {@code columns}; null: all are read
   * @return what was logged
   */
  public static List<String> logOfChanges(CapturedTable table, @Nullable String columns) {
    List<String> warnings = ofChanges(table, columns);
    warnings.forEach(LOG::warn);
    return warnings;
  }

  /**
   * What {@link #logOfChanges} logs.
   *
   * @param columns option {@code columns}; null: all are read
   */
  public static List<String> ofChanges(CapturedTable table, @Nullable String columns) {
    List<String> warnings = new ArrayList<>(of(table, columns));
    String unread = columns == null ? "" : names(unlisted(table, columns));
    if (!unread.isEmpty()) {
      warnings.add(
          table.instance().description()
              + ": captured columns that option 'columns' doesn't list ("
              + unread
              + ") are not read");
    }
    if (!table.instance().hasCommandIds()) {
      warnings.add(
          table.instance().description()
              + ": its change table has no __$command_id. Changes of one commit are ordered by"
              + " __$seqval, in which SQL Server may put an insert before the delete of the same"
              + " key; install the server's update that brings the column");
    }
    return warnings;
  }

  /**
   * A sentence for each kind of column that is read.
   *
   * @param columns option {@code columns}; null: all are read
   */
  public static List<String> of(CapturedTable table, @Nullable String columns) {
    List<CapturedColumn> read = columns == null ? table.columns() : listed(table, columns);
    String computed = names(read.stream().filter(CapturedColumn::isComputed).toList());
    String masked = names(read.stream().filter(CapturedColumn::isMasked).toList());
    String garbled = names(read.stream().filter(CapturedColumn::isInOtherCodePage).toList());
    List<String> warnings = new ArrayList<>();
    if (!computed.isEmpty()) {
      warnings.add(
          table.instance().description()
              + ": capture records no values of computed columns ("
              + computed
              + "): they are left out, or read NULL where option 'columns' lists them");
    }
    if (!masked.isEmpty()) {
      warnings.add(
          table.instance().description()
              + ": columns under dynamic data masking ("
              + masked
              + ") read as masked values unless the login has UNMASK");
    }
    if (!garbled.isEmpty()) {
      warnings.add(
          table.instance().description()
              + ": columns of char, varchar or text in another code page than the database's ("
              + garbled
              + "): SQL Server may capture their non-ASCII characters wrongly; make them nvarchar,"
              + " or give them a collation of the database's code page");
    }
    return warnings;
  }

  private static List<CapturedColumn> listed(CapturedTable table, String columns) {
    Set<String> names =
        Arrays.stream(ReadColumns.parse(columns).fieldNames())
            .map(name -> name.toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
    return table.columns().stream()
        .filter(column -> names.contains(column.name().toLowerCase(Locale.ROOT)))
        .toList();
  }

  private static List<CapturedColumn> unlisted(CapturedTable table, String columns) {
    List<CapturedColumn> listed = listed(table, columns);
    return table.columns().stream().filter(column -> !listed.contains(column)).toList();
  }

  private static String names(List<CapturedColumn> columns) {
    return columns.stream().map(CapturedColumn::name).collect(Collectors.joining(", "));
  }
}
