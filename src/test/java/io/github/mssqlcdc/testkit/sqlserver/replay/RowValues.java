package io.github.mssqlcdc.testkit.sqlserver.replay;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What is in the rows of a table and of its changes. */
record RowValues(ReplayTable table, Map<String, Template.OwnValue> own) implements Template.Values {
  static final int INSERT = 2;

  @Override
  public Template.@Nullable OwnValue own(String column) {
    return own.get(column);
  }

  @Override
  public @Nullable Object of(Column column, int row, int ordinal) {
    return switch (column.name()) {
      case "__$operation" -> INSERT;
      case "__$end_lsn", ReplayTable.LARGE -> null;
      default -> new Cells(table.width(), table.nullPercent()).value(column.type(), row, ordinal);
    };
  }

  @Override
  public @Nullable Object ofOdd(Column column, int ordinal) {
    if (!column.name().equals(ReplayTable.LARGE)) {
      return of(column, 0, ordinal);
    }
    byte[] large = new byte[table.largeCell()];
    new Random(ordinal).nextBytes(large);
    return large;
  }
}
