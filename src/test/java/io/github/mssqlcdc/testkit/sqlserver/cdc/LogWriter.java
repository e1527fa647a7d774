package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.DeferredUpdates;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.MultiRowUpdate;
import io.github.mssqlcdc.testkit.sqlserver.cdc.RowOperation.Kind;
import io.github.mssqlcdc.testkit.sqlserver.engine.CommitListener.RowChange;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.UniqueIndex;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns a statement's row changes into log records. An update that changes a unique key is logged
 * as a delete and an insert: of one row, at one position; of several rows, all deletes before all
 * inserts. Not thread-safe.
 */
final class LogWriter {
  private final CdcSettings settings;
  private final LsnAllocator lsns;

  LogWriter(CdcSettings settings, LsnAllocator lsns) {
    this.settings = settings;
    this.lsns = lsns;
  }

  /** Logs the changes that one statement made to a tracked table. */
  List<RowOperation> write(TableInfo table, List<RowChange> changes) {
    List<RowChange> deferred = new ArrayList<>();
    List<RowChange> inPlace = new ArrayList<>();
    changes.forEach(change -> (changesKey(table, change) ? deferred : inPlace).add(change));
    List<RowOperation> operations = new ArrayList<>();
    if (deferred.size() == 1) {
      LogLsn sequence = lsns.next();
      operations.add(delete(table, deferred.get(0).before(), sequence));
      operations.add(insert(table, deferred.get(0).after(), sequence));
    } else {
      deferred.forEach(change -> operations.add(delete(table, change.before(), lsns.next())));
      deferred.forEach(change -> operations.add(insert(table, change.after(), lsns.next())));
    }
    boolean updated = false;
    for (RowChange change : inPlace) {
      operations.add(plain(table, change, updated));
      updated |= change.before() != null && change.after() != null;
    }
    return operations;
  }

  private RowOperation plain(TableInfo table, RowChange change, boolean updatedBefore) {
    if (change.before() == null) {
      return insert(table, change.after(), lsns.next());
    }
    if (change.after() == null) {
      return delete(table, change.before(), lsns.next());
    }
    boolean sameCommand =
        updatedBefore && settings.multiRowUpdate() == MultiRowUpdate.ONE_COMMAND_ID;
    return new RowOperation(
        table, Kind.UPDATE, change.before(), change.after(), lsns.next(), sameCommand);
  }

  private static RowOperation delete(
      TableInfo table, @Nullable Object @Nullable [] row, LogLsn sequence) {
    return new RowOperation(table, Kind.DELETE, row, null, sequence, false);
  }

  private static RowOperation insert(
      TableInfo table, @Nullable Object @Nullable [] row, LogLsn sequence) {
    return new RowOperation(table, Kind.INSERT, null, row, sequence, false);
  }

  private boolean changesKey(TableInfo table, RowChange change) {
    if (change.before() == null || change.after() == null) {
      return false;
    }
    for (UniqueIndex index : table.uniqueIndexes()) {
      if (index.primaryKey() || settings.deferredUpdates() == DeferredUpdates.ANY_UNIQUE_INDEX) {
        for (int i = 0; i < table.columns().size(); i++) {
          String column = table.columns().get(i).name();
          if (index.columns().contains(column)
              && !ColumnValues.same(change.before()[i], change.after()[i])) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
