package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.Database.Purpose;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts and bounds of the source table, from which its parts are planned, under the isolation and
 * lock timeout asked for. No row leaves the server. Thread-safe.
 */
final class PlanReads {
  /** A key that no index leads with is found by a scan. */
  private static final Duration EXTENT_TIMEOUT = Duration.ofMinutes(10);

  /** A plan of billions of rows reads the whole key, and may wait for writers. */
  private static final Duration NO_LIMIT = Duration.ZERO;

  private final Database database;
  private final ReadSettings settings;

  PlanReads(Database database, ReadSettings settings) {
    this.database = database;
    this.settings = settings;
  }

  List<KeyExtent> extents(CaptureInstance instance, List<KeyRange> ranges) {
    Batch batch = settings.all();
    for (int i = 0; i < ranges.size(); i++) {
      // two subqueries are two index seeks; MIN and MAX of one query may be a scan
      batch.add(i == 0 ? "SELECT" : "UNION ALL SELECT");
      extreme(batch, "MIN", instance, ranges.get(i));
      batch.add("AS min_key,");
      extreme(batch, "MAX", instance, ranges.get(i));
      batch.add("AS max_key");
    }
    return database.query(
        new Purpose("read the key range of " + table(instance), instance),
        EXTENT_TIMEOUT,
        batch.add(";"),
        PlanReads::extents);
  }

  private static void extreme(
      Batch batch, String function, CaptureInstance instance, KeyRange range) {
    String key = Quoting.name(range.columns().get(0).name());
    batch.add("CAST((SELECT " + function + "(t." + key + ") FROM " + table(instance) + " AS t");
    new Where("t").range(range).addTo(batch);
    batch.add(") AS bigint)");
  }

  private static List<KeyExtent> extents(Results results) throws SQLException {
    ResultSet row = results.next();
    List<KeyExtent> extents = new ArrayList<>();
    while (row.next()) {
      Long min = Results.number(row, 1);
      Long max = Results.number(row, 2);
      if (min != null && max != null) {
        extents.add(new KeyExtent(min, max));
      }
    }
    extents.sort(Comparator.comparingLong(KeyExtent::min));
    return extents;
  }

  KeyEnds ends(CaptureInstance instance, List<KeyColumn> columns, @Nullable Lsn stampedMaxLsn) {
    boolean isInteger = columns.size() == 1 && columns.get(0).isInteger();
    Batch batch = settings.all().add("SELECT sys.fn_cdc_get_max_lsn() AS max_lsn;");
    if (isInteger) {
      first(batch, instance, columns, "WHERE " + names("t", columns) + " IS NOT NULL", "");
    }
    first(
        batch,
        instance,
        columns,
        isInteger ? "WHERE " + names("t", columns) + " IS NOT NULL" : "",
        " DESC");
    return database.query(
        new Purpose("read the key range of " + table(instance), instance),
        NO_LIMIT,
        batch,
        results -> {
          Lsn maxLsn = Results.lsnOrNone(results.nextRow(), 1);
          if (stampedMaxLsn != null) {
            ChangeReads.requireAtLeast(stampedMaxLsn, maxLsn, instance);
          }
          KeyBound min = isInteger ? key(results, columns).orElse(null) : null;
          return new KeyEnds(min, key(results, columns).orElse(null));
        });
  }

  /** Asks for the first row in one direction: an index that has the columns is sought. */
  private static void first(
      Batch batch,
      CaptureInstance instance,
      List<KeyColumn> columns,
      String condition,
      String direction) {
    batch.add("SELECT TOP (1) " + names("t", columns) + " FROM " + table(instance) + " AS t");
    if (!condition.isEmpty()) {
      batch.add(condition);
    }
    batch.add(
        columns.stream()
            .map(column -> names("t", List.of(column)) + direction)
            .collect(Collectors.joining(", ", "ORDER BY ", ";")));
  }

  List<SliceCount> slices(CaptureInstance instance, SliceGrid grid) {
    Batch batch = settings.all();
    SliceSql.addTo(batch, table(instance), grid);
    return counts(
        instance,
        batch,
        row -> new SliceCount(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4)));
  }

  List<BucketCount> buckets(CaptureInstance instance, @Nullable BucketGrid grid) {
    Batch batch = settings.all();
    BucketSql.addTo(batch, table(instance), grid);
    return counts(
        instance,
        batch,
        row -> new BucketCount(Results.number(row, 1), row.getLong(2), row.getBigDecimal(3)));
  }

  private <T> List<T> counts(CaptureInstance instance, Batch batch, RowReader<T> reader) {
    return database.query(
        new Purpose("count the rows of " + table(instance), instance),
        NO_LIMIT,
        batch,
        results -> {
          ResultSet row = results.next();
          List<T> counts = new ArrayList<>();
          while (row.next()) {
            counts.add(reader.read(row));
          }
          return counts;
        });
  }

  /** Reads the row that a result set stands at. */
  private interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  Optional<KeyBound> seek(CaptureInstance instance, KeySeek seek) {
    Batch batch = settings.all();
    new SeekSql(table(instance), seek).addTo(batch);
    return database.query(
        new Purpose("find the bounds of ranges of " + table(instance), instance),
        NO_LIMIT,
        batch,
        results -> key(results, seek.columns()));
  }

  private static Optional<KeyBound> key(Results results, List<KeyColumn> columns)
      throws SQLException {
    ResultSet row = results.next();
    return row.next()
        ? Optional.of(KeyValues.bound(row, columns, column -> columns.indexOf(column) + 1))
        : Optional.empty();
  }

  private static String names(String alias, List<KeyColumn> columns) {
    return columns.stream()
        .map(column -> alias + "." + Quoting.name(column.name()))
        .collect(Collectors.joining(", "));
  }

  private static String table(CaptureInstance instance) {
    return Quoting.table(instance);
  }
}
