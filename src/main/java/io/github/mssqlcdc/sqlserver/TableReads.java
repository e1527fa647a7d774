package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.options.Isolation;
import io.github.mssqlcdc.options.SourceOptions;
import io.github.mssqlcdc.sqlserver.Database.Purpose;
import io.github.mssqlcdc.type.SelectColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the source table itself, under the isolation and lock timeout asked for. Thread-safe. */
final class TableReads {
  private static final Logger LOG = LoggerFactory.getLogger(TableReads.class);

  /** A key that no index leads with is found by a scan. */
  private static final Duration EXTENT_TIMEOUT = Duration.ofMinutes(10);

  /** A seek reads as many keys as a range has rows. */
  private static final Duration SEEK_TIMEOUT = Duration.ofHours(6);

  private static final Duration SIZE_TIMEOUT = Duration.ofMinutes(1);

  private final Database database;
  private final SessionWaits waits;
  private final SourceOptions options;

  TableReads(Database database, SessionWaits waits, SourceOptions options) {
    this.database = database;
    this.waits = waits;
    this.options = options;
  }

  List<KeyExtent> keyExtents(CaptureInstance instance, List<KeyRange> ranges) {
    Batch batch = settings();
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
        TableReads::extents);
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

  /** The server's own count; it needs no right of its own and reads no row. */
  Optional<TableSize> size(CaptureInstance instance) {
    Batch batch = lockTimeout().add("EXEC sys.sp_spaceused @objname = ?;", table(instance));
    try {
      return database.query(
          new Purpose("read the size of " + table(instance), instance),
          SIZE_TIMEOUT,
          batch,
          results -> TableSize.parse(results.nextRow()));
    } catch (CdcException e) {
      // all can be read without it
      if (e.code() == ErrorCode.CONNECTION_FAILED) {
        throw e;
      }
      LOG.warn("{}", e.getMessage());
      return Optional.empty();
    }
  }

  Optional<KeyBound> seek(CaptureInstance instance, KeySeek seek) {
    Batch batch = settings();
    new SeekSql(table(instance), seek.columns(), seek.filters())
        .addTo(batch, seek.from(), seek.rows());
    return database.query(
        new Purpose("find the bounds of ranges of " + table(instance), instance),
        SEEK_TIMEOUT,
        batch,
        results -> {
          ResultSet row = results.next();
          return row.next()
              ? Optional.of(
                  KeyValues.bound(
                      row, seek.columns(), column -> seek.columns().indexOf(column) + 1))
              : Optional.<KeyBound>empty();
        });
  }

  RangeReader read(
      CaptureInstance instance,
      List<SelectColumn> columns,
      TablePart part,
      @Nullable Lsn stampedMaxLsn) {
    return new JdbcRangeReader(
        database,
        new Purpose("read table " + table(instance), instance),
        waits,
        new TableRest(instance, this::settings, columns, part),
        maxLsn -> {
          if (stampedMaxLsn != null) {
            ChangeReads.requireAtLeast(stampedMaxLsn, maxLsn, instance);
          }
        });
  }

  private Batch settings() {
    return lockTimeout()
        .add(
            options.isolation() == Isolation.SNAPSHOT
                ? "SET TRANSACTION ISOLATION LEVEL SNAPSHOT;"
                : LsnReads.READ_COMMITTED);
  }

  private Batch lockTimeout() {
    Batch batch = new Batch();
    Duration lockTimeout = options.lockTimeout();
    if (lockTimeout != null) {
      // takes no parameter: T-SQL wants a number here
      batch.add("SET LOCK_TIMEOUT " + lockTimeout.toMillis() + ";");
    }
    return batch;
  }

  private static String table(CaptureInstance instance) {
    return Quoting.name(instance.sourceSchema(), instance.sourceTable());
  }
}
