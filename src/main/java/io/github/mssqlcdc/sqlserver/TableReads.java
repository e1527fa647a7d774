package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.options.Isolation;
import io.github.mssqlcdc.options.SourceOptions;
import io.github.mssqlcdc.sqlserver.Database.Purpose;
import io.github.mssqlcdc.type.SelectColumn;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the source table itself, under the isolation and lock timeout asked for. Thread-safe. */
final class TableReads {
  /** A key that no index leads with is found by a scan. */
  private static final Duration EXTENT_TIMEOUT = Duration.ofMinutes(10);

  private final Database database;
  private final SessionWaits waits;
  private final SourceOptions options;

  TableReads(Database database, SessionWaits waits, SourceOptions options) {
    this.database = database;
    this.waits = waits;
    this.options = options;
  }

  KeyExtent keyExtent(CaptureInstance instance, String column) {
    String key = Quoting.name(column);
    Batch batch =
        settings()
            .add("SELECT CAST(MIN(" + key + ") AS bigint) AS min_key,")
            .add("CAST(MAX(" + key + ") AS bigint) AS max_key FROM " + table(instance) + ";");
    return database.query(
        new Purpose("read the key range of " + table(instance), instance),
        EXTENT_TIMEOUT,
        batch,
        results -> {
          ResultSet row = results.nextRow();
          return new KeyExtent(Results.number(row, 1), Results.number(row, 2));
        });
  }

  RowCursor read(
      CaptureInstance instance,
      List<SelectColumn> columns,
      @Nullable KeyRange range,
      @Nullable Lsn stampedMaxLsn) {
    return database.open(
        new Purpose("read table " + table(instance), instance),
        waits,
        wait -> batch(instance, columns, range, wait),
        maxLsn -> {
          if (stampedMaxLsn != null) {
            ChangeReads.requireAtLeast(stampedMaxLsn, maxLsn, instance);
          }
        });
  }

  private Batch batch(
      CaptureInstance instance, List<SelectColumn> columns, @Nullable KeyRange range, String wait) {
    Batch batch =
        settings()
            .add("SELECT sys.fn_cdc_get_max_lsn() AS max_lsn, " + wait + " AS wait_ms;")
            .add("SELECT " + list(columns) + " FROM " + table(instance) + " AS t");
    if (range != null) {
      KeySql.where(batch, "t", range);
    }
    return batch
        .add(";")
        .add("SELECT sys.fn_cdc_get_min_lsn(?) AS min_lsn,", instance.name())
        .add("sys.fn_cdc_get_max_lsn() AS max_lsn, " + wait + " AS wait_ms;");
  }

  /** A query may count rows without a column of them. */
  private static String list(List<SelectColumn> columns) {
    return columns.isEmpty() ? "1 AS one" : SelectList.of("t", columns);
  }

  private Batch settings() {
    Batch batch = new Batch();
    Duration lockTimeout = options.lockTimeout();
    if (lockTimeout != null) {
      // takes no parameter: T-SQL wants a number here
      batch.add("SET LOCK_TIMEOUT " + lockTimeout.toMillis() + ";");
    }
    return batch.add(
        options.isolation() == Isolation.SNAPSHOT
            ? "SET TRANSACTION ISOLATION LEVEL SNAPSHOT;"
            : LsnReads.READ_COMMITTED);
  }

  private static String table(CaptureInstance instance) {
    return Quoting.name(instance.sourceSchema(), instance.sourceTable());
  }
}
