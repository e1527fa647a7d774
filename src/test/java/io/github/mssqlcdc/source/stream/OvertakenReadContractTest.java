package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cleanup that comes between the first row of a range and the last. */
class OvertakenReadContractTest {
  private static final int ROWS = 1000;
  private static final int INSERTS = 4;

  /**
   * There are more rows than the network holds: the server is still sending them when cleanup
   * comes, and reads min LSN behind them. What cleanup takes was sent by then; nobody can know.
   */
  @Test
  void aReadThatCleanupOvertakesFailsAfterItsRows() {
    try (TestDatabase database = TestDatabases.create()) {
      database.run(
          "CREATE TABLE dbo.wide (id int NOT NULL PRIMARY KEY, pad char(4000) NOT NULL)",
          "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'wide',"
              + " @role_name = NULL");
      database.awaitCapture();
      Map<String, String> options = new HashMap<>(database.options());
      options.put("captureInstance", "dbo_wide");
      DirectStream stream = new DirectStream(options, "numPartitions", "1");
      Offset position = stream.begin();
      for (int insert = 0; insert < INSERTS; insert++) {
        database.run(insert(insert * ROWS), "WAITFOR DELAY '00:00:00.010'");
      }
      database.awaitCapture();
      Offset end = stream.next(position);
      List<RangePartition> ranges = stream.plan(position, end);
      assertThat(ranges).hasSize(1);
      AtomicInteger rows = new AtomicInteger();

      assertThatThrownBy(
              () ->
                  stream.read(
                      ranges,
                      row -> {
                        if (rows.incrementAndGet() == ROWS) {
                          cleanUpTheFirst(database);
                        }
                      }))
          .isInstanceOf(DataLossException.class)
          .hasMessageContaining("from " + position.lsn().next())
          .hasMessageContaining(
              "min LSN is " + lsn(database, "SELECT sys.fn_cdc_get_min_lsn(N'dbo_wide')"));
      assertThat(rows).hasValue(ROWS * INSERTS);
    }
  }

  private static String insert(int first) {
    return IntStream.range(first, first + ROWS)
        .mapToObj(id -> "(" + id + ", 'x')")
        .collect(Collectors.joining(", ", "INSERT INTO dbo.wide VALUES ", ""));
  }

  private static void cleanUpTheFirst(TestDatabase database) {
    Lsn second =
        lsn(database, "SELECT DISTINCT [__$start_lsn] FROM cdc.dbo_wide_CT WHERE id = " + ROWS);
    database.run(
        "EXEC sys.sp_cdc_cleanup_change_table @capture_instance = N'dbo_wide', @low_water_mark = "
            + second);
  }

  private static Lsn lsn(TestDatabase database, String query) {
    return Lsn.of((byte[]) database.query(query).get(0).get(0));
  }
}
