package io.github.mssqlcdc.sink;

import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.delta.table.PublicWriter;

/** Through Delta's public writer, as for tables that a catalog commits to. */
final class ExactlyOncePublicWriterTest extends ExactlyOnceSuite {
  @Override
  LakeTable open(String name) {
    return PublicWriter.of(spark, new DeltaTableRef(name));
  }
}
