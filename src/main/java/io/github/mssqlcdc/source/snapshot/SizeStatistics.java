package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.sqlserver.TableSize;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.read.Statistics;

/** A table's size as Spark's optimizer wants it. */
record SizeStatistics(Optional<TableSize> size) implements Statistics {

  @Override
  public OptionalLong sizeInBytes() {
    return size.isEmpty() ? OptionalLong.empty() : OptionalLong.of(size.get().bytes());
  }

  @Override
  public OptionalLong numRows() {
    return size.isEmpty() ? OptionalLong.empty() : OptionalLong.of(size.get().rows());
  }
}
