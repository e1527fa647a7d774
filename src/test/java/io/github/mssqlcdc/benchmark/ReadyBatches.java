package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.source.MssqlCdcSnapshotProvider;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * What Spark takes for itself: a source that reads the first column batch of a snapshot and hands
 * it out again and again, {@link #ROWS} rows per partition or a few more.
 */
public final class ReadyBatches implements TableProvider {
  /** The option that says how many. */
  static final String ROWS = "readyRows";

  private final MssqlCdcSnapshotProvider source = new MssqlCdcSnapshotProvider();

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return source.inferSchema(options);
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return new ReadyTable(
        (SupportsRead) source.getTable(schema, partitioning, properties),
        Long.parseLong(new CaseInsensitiveStringMap(properties).get(ROWS)));
  }

  private record ReadyTable(SupportsRead real, long rows) implements SupportsRead {
    @Override
    public String name() {
      return real.name();
    }

    @Override
    public StructType schema() {
      return real.schema();
    }

    @Override
    public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      Scan scan = real.newScanBuilder(options).build();
      return () -> new ReadyScan(scan, rows);
    }
  }

  private record ReadyScan(Scan real, long rows) implements Scan {
    @Override
    public StructType readSchema() {
      return real.readSchema();
    }

    @Override
    public ColumnarSupportMode columnarSupportMode() {
      return ColumnarSupportMode.SUPPORTED;
    }

    @Override
    public Batch toBatch() {
      return new ReadyBatch(real.toBatch(), rows);
    }
  }

  private record ReadyBatch(Batch real, long rows) implements Batch {
    @Override
    public InputPartition[] planInputPartitions() {
      return real.planInputPartitions();
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
      return new Factory(real.createReaderFactory(), rows);
    }
  }

  private record Factory(PartitionReaderFactory real, long rows) implements PartitionReaderFactory {
    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      throw new UnsupportedOperationException("Batches of columns only");
    }

    @Override
    public boolean supportColumnarReads(InputPartition partition) {
      return true;
    }

    @Override
    public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
      return new Again(real.createColumnarReader(partition), rows);
    }
  }

  private static final class Again implements PartitionReader<ColumnarBatch> {
    private final PartitionReader<ColumnarBatch> real;
    private final long rows;
    private long given;

    Again(PartitionReader<ColumnarBatch> real, long rows) {
      this.real = real;
      this.rows = rows;
    }

    @Override
    public boolean next() throws IOException {
      if (given == 0 && !real.next() || given >= rows) {
        return false;
      }
      given += real.get().numRows();
      return true;
    }

    @Override
    public ColumnarBatch get() {
      return real.get();
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
  }
}
