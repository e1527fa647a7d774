package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyOrder;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.type.SelectColumn;
import io.github.mssqlcdc.type.SelectForm;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Rows of the source table, told from those read before by their key where they come in its order.
 *
 * @param settings begins a statement batch with the session's settings
 * @param columns what is read, the order's columns among them
 */
record TableRest(
    CaptureInstance instance, Supplier<Batch> settings, List<SelectColumn> columns, TablePart part)
    implements Rest {

  @Override
  public Batch batch(String wait) {
    Batch batch =
        settings
            .get()
            .add("SELECT sys.fn_cdc_get_max_lsn() AS max_lsn, " + wait + " AS wait_ms;")
            .add("SELECT");
    Integer limit = part.limit();
    if (limit != null) {
      batch.add("TOP (?)", limit);
    }
    batch.add(list() + " FROM " + table() + " AS t");
    new Where("t").range(part.range()).filters(part.filters()).rest(part.order()).addTo(batch);
    return batch
        .add(orderBy() + ";")
        .add("SELECT sys.fn_cdc_get_min_lsn(?) AS min_lsn,", instance.name())
        .add("sys.fn_cdc_get_max_lsn() AS max_lsn, " + wait + " AS wait_ms;");
  }

  @Override
  public Optional<Rest> after(ResultSet row) throws SQLException {
    KeyOrder order = part.order();
    if (order == null) {
      return Optional.empty();
    }
    TablePart left = part.after(KeyValues.bound(row, order.columns(), this::place));
    return Optional.of(new TableRest(instance, settings, columns, left));
  }

  @Override
  public String obstacle() {
    return "they don't come in the order of a clustered key that CDC knows";
  }

  /** A query may count rows without a column of them. */
  private String list() {
    return columns.isEmpty() ? "1 AS one" : SelectList.of("t", columns);
  }

  private String orderBy() {
    KeyOrder order = part.order();
    return order == null
        ? ""
        : order.columns().stream()
            .map(column -> "t." + Quoting.name(column.name()))
            .collect(Collectors.joining(", ", "ORDER BY ", ""));
  }

  private int place(KeyColumn column) {
    return columns.indexOf(plain(column)) + 1;
  }

  private static SelectColumn plain(KeyColumn column) {
    return new SelectColumn(column.name(), SelectForm.COLUMN);
  }

  private String table() {
    return Quoting.name(instance.sourceSchema(), instance.sourceTable());
  }
}
