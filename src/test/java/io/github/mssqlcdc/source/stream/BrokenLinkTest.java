package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.source.snapshot.SnapshotScanBuilder;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.TestClients;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.network.Fault;
import io.github.mssqlcdc.testkit.network.FaultProxy;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A link that breaks anywhere in an answer costs no row and doubles none, without Spark's help. */
@SuppressWarnings("NullAway.Init")
class BrokenLinkTest {
  private static final int COMMITS = 9;
  private static final int ROWS = 36;
  private static final int VALUE = 120;
  private static final int EVERY = 100;
  private static final int FIRST_BYTES = 64 * 1024;

  /** Answers are longer than this; each test would fail otherwise, as its fault would hit none. */
  private static final int ALL_BYTES = 80_000;

  /** The pool waits a little before it opens another connection; readers needn't wait in turn. */
  private static final int READERS = 4;

  private static final List<Integer> IDS =
      IntStream.rangeClosed(1, COMMITS * ROWS).boxed().toList();

  private static StandIn standIn;
  private static StandInDatabase database;

  @BeforeAll
  static void fill() {
    standIn = StandIn.builder().manualCapture().start();
    database = StandInDatabase.create(standIn);
    database.run(
        "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, v nvarchar(200) NULL)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = NULL");
    database.awaitCapture();
    for (int i = 0; i < COMMITS; i++) {
      database.run(
          "INSERT INTO dbo.orders SELECT value, REPLICATE(N'x', "
              + VALUE
              + ") FROM GENERATE_SERIES("
              + (i * ROWS + 1)
              + ", "
              + (i + 1) * ROWS
              + ")");
    }
    database.awaitCapture();
  }

  @AfterAll
  static void close() {
    database.close();
    standIn.close();
  }

  @Test
  void changesAreReadOnceWhereverItIsCut() throws Exception {
    overCuts(BrokenLinkTest::readerOfChanges, cuts());
  }

  @Test
  void anEncryptedLinkIsNoDifferent() throws Exception {
    overCuts(
        options -> {
          Map<String, String> encrypted = new HashMap<>(options);
          encrypted.computeIfPresent(
              "url",
              (name, url) ->
                  url.replace("encrypt=false", "encrypt=true;trustServerCertificate=true"));
          return readerOfChanges(encrypted);
        },
        LongStream.range(0, 16).mapToObj(i -> i * (FIRST_BYTES / 16) + i).toList());
  }

  @Test
  void aTableIsReadOnceWhereverItIsCut() throws Exception {
    overCuts(BrokenLinkTest::readerOfTheTable, cuts());
  }

  private static Supplier<List<Integer>> readerOfChanges(Map<String, String> options) {
    DirectStream stream = new DirectStream(options, "fetchSize", "32");
    Offset start = stream.begin();
    RangePartition range = stream.planWhole(start, stream.next(start));
    int id = stream.schema().fieldIndex("id");
    return () -> {
      RangeReports reports = new RangeReports(null);
      List<Integer> ids =
          read(new ChangeReaderFactory(stream.instances.sources(), reports), range, id);
      RangeMeasure measure = Objects.requireNonNull(reports.value().get(range)).measure();
      assertThat(measure.rows()).isEqualTo(IDS.size());
      assertThat(measure.inserts()).isEqualTo(IDS.size());
      assertThat(measure.bytes()).isEqualTo(IDS.size() * (Integer.BYTES + VALUE));
      assertThat(measure.minCommitTs()).isBefore(measure.maxCommitTs());
      return ids;
    };
  }

  private static Supplier<List<Integer>> readerOfTheTable(Map<String, String> given) {
    SnapshotOptions options = SnapshotOptions.parse(given);
    SqlServer server = TestClients.connect(options);
    StructType schema =
        new StructType().add("v", DataTypes.StringType).add("id", DataTypes.IntegerType);
    Batch scan = new SnapshotScanBuilder(() -> server, options, schema).build().toBatch();
    InputPartition whole = scan.planInputPartitions()[0];
    return () -> read(scan.createReaderFactory(), whole, 1);
  }

  private static void overCuts(
      Function<Map<String, String>, Supplier<List<Integer>>> readers, List<Long> cuts)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(READERS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        int first = i;
        running.add(threads.submit(() -> overCuts(readers, cuts, first)));
      }
      for (Future<?> reader : running) {
        reader.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Every so many of the cuts, on a network of its own. */
  private static void overCuts(
      Function<Map<String, String>, Supplier<List<Integer>>> readers, List<Long> cuts, int first) {
    try (FaultProxy network = new FaultProxy(standIn.port())) {
      Supplier<List<Integer>> reader = readers.apply(options(network));
      assertThat(reader.get()).isEqualTo(IDS);
      for (int i = first; i < cuts.size(); i += READERS) {
        long at = cuts.get(i);
        network.set(at % 1000 == 0 ? Fault.reset(at) : Fault.cut(at));
        assertThat(reader.get()).as("cut after %d bytes", at).isEqualTo(IDS);
        assertThat(network.hits()).as("cut after %d bytes", at).isEqualTo(1);
      }
    }
  }

  private static List<Long> cuts() {
    List<Long> cuts = new ArrayList<>();
    for (long at = 0; at < FIRST_BYTES; at += EVERY) {
      cuts.add(at);
    }
    new Random(7).longs(10, FIRST_BYTES, ALL_BYTES).forEach(cuts::add);
    return cuts;
  }

  private static List<Integer> read(
      PartitionReaderFactory factory, InputPartition partition, int id) {
    List<Integer> ids = new ArrayList<>();
    try (PartitionReader<ColumnarBatch> reader = factory.createColumnarReader(partition)) {
      while (reader.next()) {
        ColumnarBatch batch = reader.get();
        for (int row = 0; row < batch.numRows(); row++) {
          ids.add(batch.column(id).getInt(row));
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return ids;
  }

  private static Map<String, String> options(FaultProxy network) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("url", network.through(database.url()));
    options.put("captureInstance", "dbo_orders");
    options.put("fetchSize", "32");
    options.put("numPartitions", "1");
    return options;
  }
}
