package io.github.mssqlcdc.source;

import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.source.row.Connector;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.source.snapshot.SnapshotScanBuilder;
import java.time.Duration;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The format {@code mssql_cdc_snapshot}: a table's current rows as a batch read, in the schema of
 * its stream. A schema given by the user says which columns are read.
 */
public final class MssqlCdcSnapshotProvider implements TableProvider, DataSourceRegister {
  @Override
  public String shortName() {
    return "mssql_cdc_snapshot";
  }

  @Override
  public boolean supportsExternalMetadata() {
    return true;
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap properties) {
    SnapshotOptions options = SnapshotOptions.parse(properties.asCaseSensitiveMap());
    return schema(options, connector(options));
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    SnapshotOptions options = SnapshotOptions.parse(properties);
    UnknownNames.log(properties);
    return table(options, connector(options), schema);
  }

  static StructType schema(SnapshotOptions options, Connector connector) {
    StructType schema = ReadSchema.of(options.source(), connector);
    return options.chunks() == null ? schema : RowLayout.inChunks(schema);
  }

  static Table table(SnapshotOptions options, Connector connector, StructType schema) {
    if (options.chunks() == null) {
      RowLayout.check(schema);
    } else {
      RowLayout.checkInChunks(schema);
    }
    return new SourceTable(
        "mssql_cdc_snapshot " + options.source().captureInstance(),
        schema,
        TableCapability.BATCH_READ,
        () -> new SnapshotScanBuilder(connector, options, schema));
  }

  /** A snapshot never polls. */
  private static Connector connector(SnapshotOptions options) {
    return new DatabaseConnector(options.source(), Duration.ZERO);
  }
}
