package io.github.mssqlcdc.source;

import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.source.row.Connector;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.source.stream.ChangeScan;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The format {@code mssql_cdc}: the changes of a table as a stream. A schema given by the user says
 * which columns are read.
 */
public final class MssqlCdcProvider implements TableProvider, DataSourceRegister {

  @Override
  public String shortName() {
    return "mssql_cdc";
  }

  @Override
  public boolean supportsExternalMetadata() {
    return true;
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap properties) {
    StreamOptions options = StreamOptions.parse(properties.asCaseSensitiveMap());
    return schema(options, connector(options));
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    StreamOptions options = StreamOptions.parse(properties);
    UnknownNames.log(properties);
    return table(options, connector(options), schema);
  }

  static StructType schema(StreamOptions options, Connector connector) {
    return ReadSchema.of(options.source(), connector);
  }

  static Table table(StreamOptions options, Connector connector, StructType schema) {
    RowLayout.check(schema);
    return new SourceTable(
        "mssql_cdc " + options.source().captureInstance(),
        schema,
        TableCapability.MICRO_BATCH_READ,
        () -> () -> ChangeScan.of(connector, options, schema));
  }

  private static Connector connector(StreamOptions options) {
    return new DatabaseConnector(options.source(), options.pollInterval());
  }
}
