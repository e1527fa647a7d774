package io.github.mssqlcdc.source;

import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.source.row.Connector;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The snapshot's format over a fake of the database port. */
public final class FakeSnapshotProvider implements TableProvider {

  @Override
  public boolean supportsExternalMetadata() {
    return true;
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap properties) {
    SnapshotOptions options = SnapshotOptions.parse(properties.asCaseSensitiveMap());
    return MssqlCdcSnapshotProvider.schema(options, connector(options));
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    SnapshotOptions options = SnapshotOptions.parse(properties);
    return MssqlCdcSnapshotProvider.table(options, connector(options), schema);
  }

  private static Connector connector(SnapshotOptions options) {
    return new FakeConnector(options.source().captureInstance());
  }
}
