package io.github.mssqlcdc.source;

import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A table of either format.
 *
 * @param name what Spark shows
 * @param capability how it can be read
 * @param scans makes the builder of a scan, for each query or start of one anew
 */
record SourceTable(
    String name, StructType schema, TableCapability capability, Supplier<ScanBuilder> scans)
    implements SupportsRead {

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(capability);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return scans.get();
  }
}
