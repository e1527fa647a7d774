package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.UnchangedUpdates;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.UntouchedLob;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the rows that one logged change leaves in an instance's change table. Not thread-safe: it
 * remembers where the columns stand in the table it saw last.
 */
final class ImageBuilder {
  private static final int DELETE = 1;
  private static final int INSERT = 2;
  private static final int BEFORE = 3;
  private static final int AFTER = 4;
  private static final int ABSENT = -1;

  private final CdcSettings settings;
  private final List<ColumnInfo> columns;
  private @Nullable TableInfo lastTable;
  private int[] lastPositions = {};

  ImageBuilder(CdcSettings settings, CaptureInstance instance) {
    this.settings = settings;
    this.columns = instance.columns();
  }

  List<ChangeRow> rows(RowOperation operation) {
    int[] positions = positions(operation.table());
    UpdateMask all = UpdateMask.all(columns.size());
    return switch (operation.kind()) {
      case INSERT -> List.of(image(INSERT, all, positions, operation.after()));
      case DELETE -> List.of(image(DELETE, all, positions, operation.before()));
      case UPDATE -> {
        UpdateMask changed = changed(positions, operation);
        yield changed.isEmpty() && settings.unchangedUpdates() == UnchangedUpdates.NO_ROWS
            ? List.of()
            : List.of(
                image(BEFORE, changed, positions, operation.before()),
                image(AFTER, changed, positions, operation.after()));
      }
    };
  }

  private ChangeRow image(
      int operation, UpdateMask mask, int[] positions, @Nullable Object @Nullable [] row) {
    @Nullable Object[] values = new @Nullable Object[positions.length];
    for (int i = 0; i < positions.length; i++) {
      values[i] =
          row == null || positions[i] == ABSENT || omitted(operation, mask, i)
              ? null
              : row[positions[i]];
    }
    return new ChangeRow(operation, mask, values);
  }

  private boolean omitted(int operation, UpdateMask mask, int column) {
    boolean untouched = !mask.contains(column);
    DataType type = columns.get(column).type();
    return switch (type.name()) {
      case TEXT, NTEXT, IMAGE ->
          operation == DELETE
              || operation == BEFORE
              || (operation == AFTER && untouched && nullsUntouchedLobs());
      default ->
          (isLarge(type) && untouched)
              && (operation == BEFORE || (operation == AFTER && nullsUntouchedLobs()));
    };
  }

  private boolean nullsUntouchedLobs() {
    return settings.untouchedLob() == UntouchedLob.NULL;
  }

  private static boolean isLarge(DataType type) {
    return switch (type.name()) {
      case XML -> true;
      case VARCHAR, NVARCHAR, VARBINARY -> type.length() == DataType.MAX;
      default -> false;
    };
  }

  private UpdateMask changed(int[] positions, RowOperation update) {
    BitSet bits = new BitSet(positions.length);
    for (int i = 0; i < positions.length; i++) {
      int position = positions[i];
      if (position != ABSENT
          && !ColumnValues.same(update.before()[position], update.after()[position])) {
        bits.set(i);
      }
    }
    return UpdateMask.of(positions.length, bits);
  }

  /** Where each captured column stood in the table's rows; absent if dropped or computed. */
  private int[] positions(TableInfo table) {
    if (table == lastTable) {
      return lastPositions;
    }
    int[] positions = new int[columns.size()];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = columns.get(i).computed() ? ABSENT : position(table, columns.get(i));
    }
    lastTable = table;
    lastPositions = positions;
    return positions;
  }

  private static int position(TableInfo table, ColumnInfo column) {
    for (int i = 0; i < table.columns().size(); i++) {
      if (table.columns().get(i).columnId() == column.columnId()) {
        return i;
      }
    }
    return ABSENT;
  }
}
