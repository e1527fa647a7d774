package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream that goes on and on, as far as its connections are concerned. */
@Timeout(120)
final class ManyBatchesTest {
  private static final int BATCHES = 1_000;
  private static final int COMMITS = 20;

  /** More than a fetch brings. */
  private static final int ROWS = 12;

  /** The pool has two: one lost in each read that is given up would be all of them soon. */
  @Test
  void aThousandBatchesOfWhichSomeAreGivenUpLeaveTheConnectionsThatTheFirstHad() throws Exception {
    try (StandIn standIn = StandIn.builder().manualCapture().start();
        StandInDatabase database = StandInDatabase.create(standIn)) {
      fill(database);
      while (standIn.connections() > 0) {
        Thread.onSpinWait();
      }
      Map<String, String> options = new HashMap<>(database.options());
      options.put("captureInstance", "dbo_orders");
      options.put("numPartitions", "1");
      DirectStream stream = new DirectStream(options, "maxCommitsPerBatch", "1");
      Offset begin = stream.begin();
      Offset position = begin;
      Set<Integer> held = new HashSet<>();
      List<Integer> ids = new ArrayList<>();
      for (int batch = 0; batch < BATCHES; ) {
        Offset end = stream.next(position);
        List<RangePartition> ranges = stream.plan(position, end);
        if (!ranges.isEmpty()) {
          if (batch % 3 == 0) {
            giveUp(stream, ranges.get(0));
          }
          ids.addAll(stream.read(ranges));
          held.add(standIn.connections());
          batch++;
        }
        position = end.equals(position) ? begin : end;
      }

      assertThat(ids).hasSize(BATCHES * ROWS);
      assertThat(ids.subList(ids.size() - COMMITS * ROWS, ids.size()))
          .isEqualTo(IntStream.rangeClosed(1, COMMITS * ROWS).boxed().toList());
      assertThat(held).isSubsetOf(1, 2);
    }
  }

  private static void fill(StandInDatabase database) {
    database.run(
        "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = NULL");
    database.awaitCapture();
    for (int i = 0; i < COMMITS; i++) {
      database.run(
          "INSERT INTO dbo.orders SELECT value FROM GENERATE_SERIES("
              + (i * ROWS + 1)
              + ", "
              + (i + 1) * ROWS
              + ")");
    }
    database.awaitCapture();
  }

  /** A task that Spark ends after its first rows. */
  private static void giveUp(DirectStream stream, RangePartition range) throws Exception {
    try (PartitionReader<ColumnarBatch> reader =
        new ChangeReaderFactory(stream.instances.sources(), new RangeReports(null))
            .createColumnarReader(range)) {
      assertThat(reader.next()).isTrue();
    }
  }
}
