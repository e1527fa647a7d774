package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.testkit.sqlserver.replay.ReplayProcess;
import io.github.mssqlcdc.testkit.sqlserver.replay.ReplayTable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Reads of whole replayed tables, the same rows in as many parts by each way. */
final class TableReads implements AutoCloseable {
  static final List<ReplayTable> TABLES =
      List.of(
          SampleColumns.table("mixed", 12, 1_000_000), SampleColumns.table("wide", 60, 200_000));

  /** Of Spark's JDBC source: larger ones don't make the driver faster. */
  private static final int FETCH_SIZE = 10_000;

  private final ReplayProcess server;
  private final SparkSession spark = TestSession.get();

  TableReads() throws IOException {
    this.server = ReplayProcess.start("1g", TABLES.toArray(ReplayTable[]::new));
  }

  SparkSession spark() {
    return spark;
  }

  Map<String, String> options(ReplayTable table) {
    return server.options(table);
  }

  Sample ours(ReplayTable table, int parts) throws Exception {
    Dataset<Row> rows =
        spark
            .read()
            .format("mssql_cdc_snapshot")
            .options(server.options(table))
            .option("numPartitions", parts)
            .load();
    return noop(rows, table);
  }

  /** Batches that are there: Spark's part of a read alone. */
  Sample ready(ReplayTable table, int parts) throws Exception {
    Dataset<Row> rows =
        spark
            .read()
            .format(ReadyBatches.class.getName())
            .options(server.options(table))
            .option("numPartitions", parts)
            .option(ReadyBatches.ROWS, table.rows() / parts)
            .load();
    return noop(rows, table);
  }

  /** Spark's own JDBC source. */
  Sample jdbc(ReplayTable table, int parts) throws Exception {
    return noop(jdbcRows(table, parts), table);
  }

  Dataset<Row> jdbcRows(ReplayTable table, int parts) {
    return spark
        .read()
        .format("jdbc")
        .option("url", server.url())
        .option("user", server.user())
        .option("password", server.password())
        .option("dbtable", "dbo." + table.name())
        .option("fetchsize", FETCH_SIZE)
        .option("partitionColumn", "id")
        .option("lowerBound", 1)
        .option("upperBound", table.rows())
        .option("numPartitions", parts)
        .load();
  }

  private Sample noop(Dataset<Row> rows, ReplayTable table) throws Exception {
    return Meter.tasks(spark, () -> rows.write().format("noop").mode("overwrite").save())
        .perCpuSecond(table.rows());
  }

  Sample bare(ReplayTable table, int parts) throws Exception {
    long part = table.rows() / parts;
    List<String> queries =
        LongStream.range(0, parts)
            .mapToObj(
                i ->
                    "SELECT * FROM dbo.%s WHERE id > %d AND id <= %d"
                        .formatted(table.name(), i * part, (i + 1) * part))
            .toList();
    return new BareLoop(server).run(queries, table.rows());
  }

  @Override
  public void close() {
    server.close();
  }
}
