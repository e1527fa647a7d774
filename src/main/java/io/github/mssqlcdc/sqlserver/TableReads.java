package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.Database.Purpose;
import io.github.mssqlcdc.type.SelectColumn;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the source table itself, under the isolation and lock timeout asked for. Thread-safe. */
final class TableReads {
  private static final Logger LOG = LoggerFactory.getLogger(TableReads.class);

  private static final Duration SIZE_TIMEOUT = Duration.ofMinutes(1);

  private final Database database;
  private final SessionWaits waits;
  private final ReadSettings settings;

  TableReads(Database database, SessionWaits waits, ReadSettings settings) {
    this.database = database;
    this.waits = waits;
    this.settings = settings;
  }

  /** The server's own count; it needs no right of its own and reads no row. */
  Optional<TableSize> size(CaptureInstance instance) {
    Batch batch = settings.waiting().add("EXEC sys.sp_spaceused @objname = ?;", table(instance));
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

  RangeReader read(
      CaptureInstance instance,
      List<SelectColumn> columns,
      TablePart part,
      @Nullable Lsn stampedMaxLsn) {
    return new JdbcRangeReader(
        database,
        new Purpose("read table " + table(instance), instance),
        waits,
        new TableRest(instance, settings::all, columns, part),
        maxLsn -> {
          if (stampedMaxLsn != null) {
            ChangeReads.requireAtLeast(stampedMaxLsn, maxLsn, instance);
          }
        });
  }

  private static String table(CaptureInstance instance) {
    return Quoting.table(instance);
  }
}
