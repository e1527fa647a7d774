package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.chunk.SnapshotKey;
import io.github.mssqlcdc.keyrange.ColumnFilter;
import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.source.row.CaptureSet;
import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.source.row.ColumnWarnings;
import io.github.mssqlcdc.source.row.Connector;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.sqlserver.SqlServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Takes from a query what the server can do for it: the columns that it needs, conditions, a limit.
 */
public final class SnapshotScanBuilder
    implements ScanBuilder,
        SupportsPushDownRequiredColumns,
        SupportsPushDownV2Filters,
        SupportsPushDownLimit {
  private final SnapshotOptions options;
  private final Connector connector;
  private final SqlServer server;
  private final CapturedTable table;
  private final RowLayout layout;
  private final List<Predicate> pushed = new ArrayList<>();
  private final List<ColumnFilter> filters = new ArrayList<>();
  private StructType schema;
  private @Nullable Integer limit;

  /**
   * @param schema all columns that can be read
   * @throws io.github.mssqlcdc.error.InvalidRequestException if the instance or a column is unknown
   */
  public SnapshotScanBuilder(Connector connector, SnapshotOptions options, StructType schema) {
    this.connector = connector;
    this.options = options;
    this.schema = schema;
    this.server = connector.connect();
    this.table = CaptureSet.load(server, options.source().captureInstance()).whole();
    this.layout = layout();
  }

  @Override
  public void pruneColumns(StructType required) {
    schema = required;
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    PushedFilters translator = new PushedFilters(table, layout);
    List<Predicate> left = new ArrayList<>();
    for (Predicate predicate : predicates) {
      Optional<List<ColumnFilter>> translated = translator.translate(predicate);
      if (translated.isPresent()) {
        pushed.add(predicate);
        filters.addAll(translated.get());
      } else {
        left.add(predicate);
      }
    }
    return left.toArray(Predicate[]::new);
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed.toArray(Predicate[]::new);
  }

  /** Each part of the table is read up to the limit; Spark takes as many of all these. */
  @Override
  public boolean pushLimit(int rows) {
    limit = rows;
    return true;
  }

  @Override
  public Scan build() {
    if (options.stamp() == null) {
      ColumnWarnings.log(table, options.source().columns());
    }
    RowLayout rows = layout();
    SnapshotPart part =
        new SnapshotPart(
            filters, limit, SnapshotKey.order(table.instance(), table.columns(), rows.selected()));
    return new SnapshotScan(server, connector, table, rows, part, options);
  }

  private RowLayout layout() {
    return RowLayout.of(schema, table.columns()).onTable(table.columns());
  }
}
