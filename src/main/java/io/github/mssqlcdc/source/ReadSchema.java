package io.github.mssqlcdc.source;

import io.github.mssqlcdc.options.SourceOptions;
import io.github.mssqlcdc.source.row.CaptureSet;
import io.github.mssqlcdc.source.row.Connector;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.source.row.RowLayout.Extra;
import io.github.mssqlcdc.type.CapturedColumn;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.sql.types.StructType;

/** The schema that options lead to: the same in both formats, as one table takes rows of both. */
final class ReadSchema {
  private ReadSchema() {}

  static StructType of(SourceOptions options, Connector connector) {
    Supplier<List<CapturedColumn>> captured =
        () -> CaptureSet.load(connector.connect(), options.captureInstance()).columns();
    String columns = options.columns();
    return columns == null
        ? RowLayout.inferred(extras(options), captured.get())
        : RowLayout.declared(extras(options), columns, captured);
  }

  private static Set<Extra> extras(SourceOptions options) {
    Set<Extra> extras = EnumSet.noneOf(Extra.class);
    if (options.includeCommandId()) {
      extras.add(Extra.COMMAND_ID);
    }
    if (options.includeUpdateMask()) {
      extras.add(Extra.UPDATE_MASK);
    }
    return extras;
  }
}
