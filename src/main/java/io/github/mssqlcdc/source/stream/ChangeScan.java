package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.source.row.CaptureSet;
import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.source.row.ColumnWarnings;
import io.github.mssqlcdc.source.row.Connector;
import io.github.mssqlcdc.source.row.PartitionWarning;
import io.github.mssqlcdc.sqlserver.SqlServer;
import java.util.function.LongSupplier;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;

/**
 * A stream's read of one change table. Spark makes a new one for each start of the query, so what
 * it looks up is as fresh as the query.
 */
public final class ChangeScan implements Scan {
  private final SqlServer server;
  private final Instances instances;
  private final StructType schema;
  private final StreamOptions options;

  private ChangeScan(
      SqlServer server, Instances instances, StructType schema, StreamOptions options) {
    this.server = server;
    this.instances = instances;
    this.schema = schema;
    this.options = options;
  }

  /**
   * @param schema the columns to read
   * @throws io.github.mssqlcdc.error.InvalidRequestException if the instance or a column is unknown
   */
  public static ChangeScan of(Connector connector, StreamOptions options, StructType schema) {
    SqlServer server = connector.connect();
    CaptureSet table = CaptureSet.load(server, options.source().captureInstance());
    if (options.ledger() == null) {
      var unused = ColumnWarnings.logOfChanges(table.whole(), options.source().columns());
      var ignored =
          PartitionWarning.log(
              server, table.tables().stream().map(CapturedTable::instance).toList());
    }
    Instances instances = new Instances(server, connector, options, table, schema);
    if (options.ledger() != null && options.source().columns() == null) {
      QueryFit.requireAll(schema, table);
    }
    return new ChangeScan(server, instances, schema, options);
  }

  @Override
  public StructType readSchema() {
    return schema;
  }

  @Override
  public String description() {
    return "mssql_cdc " + instances.asked().description();
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return ColumnarSupportMode.SUPPORTED;
  }

  @Override
  public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
    SparkContext spark = SparkContext.getOrCreate();
    BatchLedger ledger = ledger();
    RangeReports reports = RangeReports.into(ledger);
    spark.register(reports);
    Integer partitions = options.source().numPartitions();
    return stream(
        ledger,
        reports,
        new CheckpointStartLog(
            checkpointLocation, SparkSession.active().sessionState().newHadoopConf()),
        partitions == null ? spark.defaultParallelism() : partitions,
        System::nanoTime);
  }

  private MssqlCdcMicroBatchStream stream(
      BatchLedger ledger,
      RangeReports reports,
      StartLog startLog,
      int partitions,
      LongSupplier nanoTime) {
    HistoryCheck history = new HistoryCheck(instances.oldest().instance().name(), options.seen());
    Admission admission = new Admission(options.idleInterval(), nanoTime);
    return new MssqlCdcMicroBatchStream(
        instances,
        options,
        new InitialOffset(server, instances.oldest().instance(), options.start(), startLog),
        new BatchEnds(server, instances, history, admission, options.pollInterval(), nanoTime),
        new BatchPlanner(
            server,
            instances,
            new SchemaWatch(server, instances, options.schemaChangePolicy(), ledger),
            history,
            ledger,
            new RangePlanner(RangePlanner.DEFAULT_FLOOR),
            partitions,
            options.pollInterval()),
        reports);
  }

  /** The one that the facade has opened for this stream, else one that nobody reads. */
  private BatchLedger ledger() {
    String id = options.ledger();
    return id == null
        ? new StreamLedger()
        : JvmRegistry.find(BatchLedger.class, id).orElseGet(StreamLedger::new);
  }
}
