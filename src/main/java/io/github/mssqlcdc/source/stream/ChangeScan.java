package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.source.row.ColumnWarnings;
import io.github.mssqlcdc.source.row.Connector;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.source.stream.RetentionGuard.OnLoss;
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
  private final ChangeSource source;
  private final StreamOptions options;

  private ChangeScan(SqlServer server, ChangeSource source, StreamOptions options) {
    this.server = server;
    this.source = source;
    this.options = options;
  }

  /**
   * @param schema the columns to read
   * @throws io.github.mssqlcdc.error.InvalidRequestException if the instance or a column is unknown
   */
  public static ChangeScan of(Connector connector, StreamOptions options, StructType schema) {
    SqlServer server = connector.connect();
    CapturedTable table = CapturedTable.load(server, options.source().captureInstance());
    if (options.ledger() == null) {
      var unused = ColumnWarnings.logOfChanges(table, options.source().columns());
    }
    ChangeSource source =
        new ChangeSource(
            connector,
            table.instance(),
            RowLayout.of(schema, table.columns()),
            options.source().fetchSize(),
            new RetentionGuard(
                table.instance().name(), options.failOnDataLoss() ? OnLoss.FAIL : OnLoss.SKIP));
    return new ChangeScan(server, source, options);
  }

  @Override
  public StructType readSchema() {
    return source.layout().schema();
  }

  @Override
  public String description() {
    return "mssql_cdc " + source.instance().description();
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
    HistoryCheck history = new HistoryCheck(source.instance().name());
    Admission admission = new Admission(options.idleInterval(), nanoTime);
    return new MssqlCdcMicroBatchStream(
        source,
        options,
        new InitialOffset(server, source, options.start(), startLog),
        new BatchEnds(server, source, history, admission, options.pollInterval(), nanoTime),
        new BatchPlanner(
            server,
            source,
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
