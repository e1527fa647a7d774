package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.type.SelectColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Change rows, told from those read before by their position. */
record ChangeRest(ChangeTable table, ChangeRange range, List<SelectColumn> columns)
    implements Rest {

  @Override
  public Batch batch(String wait) {
    return ChangeSql.range(table, range, columns, wait);
  }

  /** Rows without command ids have no order of their own in their commit: it isn't cut. */
  @Override
  public Optional<Rest> after(ResultSet row) throws SQLException {
    Integer commandId = Results.integer(row, 2);
    if (commandId == null) {
      return Optional.empty();
    }
    // the least position above the row's: no row's operation lies between
    ChangePosition next =
        new ChangePosition(
            Objects.requireNonNull(Results.lsn(row, 1)),
            commandId,
            Objects.requireNonNull(Results.lsn(row, 3)),
            row.getInt(4) + 1);
    Lsn before = next.commit().previous();
    return Optional.of(
        new ChangeRest(
            table, new ChangeRange(before, next, range.through(), range.before()), columns));
  }

  @Override
  public String obstacle() {
    return "rows without __$command_id have no order of their own in their commit";
  }
}
