package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.metric.SkippedChanges;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.sqlserver.HeadLimits;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.TestClients;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * One run of a stream without Spark: its calls in Spark's order, its ranges read one after the
 * other. What Spark would have in its checkpoint the test hands from run to run.
 */
final class DirectStream {
  final SqlServer server;
  final StreamLedger ledger = new StreamLedger();
  final BatchEnds ends;
  final BatchPlanner planner;
  private final InitialOffset initial;
  final ChangeSource source;
  private final HeadLimits caps;

  /** A batch as it was read. */
  record Batch(Offset start, Offset end, List<Integer> ids, List<SkippedChanges> skips) {}

  /**
   * @param options of the database and the stream
   */
  DirectStream(Map<String, String> options, String... more) {
    this(parse(options, more));
  }

  private DirectStream(StreamOptions options) {
    this(TestClients.connect(options), options, new MemoryStartLog());
  }

  /**
   * @param server which of the options only those of the stream concern
   * @param startLog outlives the run
   */
  DirectStream(SqlServer server, StreamOptions options, StartLog startLog) {
    this.server = server;
    CapturedTable table =
        CapturedTable.load(server, Objects.requireNonNull(options.source().captureInstance()));
    source =
        new ChangeSource(
            () -> server,
            table.instance(),
            RowLayout.of(
                RowLayout.inferred(Set.of(RowLayout.Extra.COMMAND_ID), table.columns()),
                table.columns()),
            options.source().fetchSize(),
            new RetentionGuard(
                table.instance().name(),
                options.failOnDataLoss()
                    ? RetentionGuard.OnLoss.FAIL
                    : RetentionGuard.OnLoss.SKIP));
    HistoryCheck history = new HistoryCheck(table.instance().name());
    initial = new InitialOffset(server, source, options.start(), startLog);
    ends =
        new BatchEnds(
            server,
            source,
            history,
            new Admission(options.idleInterval(), System::nanoTime),
            options.pollInterval(),
            System::nanoTime);
    Integer partitions = options.source().numPartitions();
    planner =
        new BatchPlanner(
            server,
            source,
            history,
            ledger,
            new RangePlanner(1),
            partitions == null ? 4 : partitions,
            options.pollInterval());
    caps = new HeadLimits(null, options.maxCommitsPerBatch(), options.maxRowsPerBatch());
  }

  /** Options under which neither polls nor batches without rows wait. */
  static StreamOptions parse(Map<String, String> options, String... more) {
    Map<String, String> all = new HashMap<>(options);
    all.put("pollInterval", "1ms");
    all.put("idleInterval", "0ms");
    all.put("fetchSize", "4");
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return StreamOptions.parse(all);
  }

  Offset begin() {
    return initial.find();
  }

  Offset next(Offset start) {
    return ends.next(start, caps);
  }

  List<RangePartition> plan(Offset start, Offset end) {
    return planner.plan(start, end, ends.pollOf(end));
  }

  /** One range for the whole batch, whatever its size. */
  RangePartition planWhole(Offset start, Offset end) {
    RangePartition first = plan(start, end).get(0);
    return new RangePartition(
        start, end, 0, ChangeRange.commits(start.lsn(), end.lsn()), first.clock());
  }

  /** Values of the column {@code id}, in order. */
  List<Integer> read(List<RangePartition> ranges) {
    RangeReports reports = new RangeReports(null);
    List<Integer> ids = read(ranges, reports);
    enter(reports);
    return ids;
  }

  /** The same, measured where the caller sees it. */
  List<Integer> read(List<RangePartition> ranges, RangeReports reports) {
    List<Integer> ids = new ArrayList<>();
    int column = source.layout().schema().fieldIndex("id");
    read(ranges, reports, row -> ids.add(row.getInt(column)));
    return ids;
  }

  /**
   * @param rows is given each row, in order; it is of {@link #schema} and reused
   */
  void read(List<RangePartition> ranges, Consumer<InternalRow> rows) {
    RangeReports reports = new RangeReports(null);
    read(ranges, reports, rows);
    enter(reports);
  }

  private void enter(RangeReports reports) {
    reports.value().values().forEach(report -> RangeReports.enter(report, ledger));
  }

  private void read(List<RangePartition> ranges, RangeReports reports, Consumer<InternalRow> rows) {
    for (RangePartition range : ranges) {
      try (PartitionReader<ColumnarBatch> reader =
          new ChangeReaderFactory(source, reports).createColumnarReader(range)) {
        while (reader.next()) {
          reader.get().rowIterator().forEachRemaining(rows);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  StructType schema() {
    return source.layout().schema();
  }

  /** All batches after the position, as AvailableNow makes them. */
  List<Batch> run(Offset position) {
    List<Batch> batches = new ArrayList<>();
    ends.fixTarget();
    Offset start = position;
    Offset end = next(start);
    while (!end.equals(start)) {
      List<Integer> ids = read(plan(start, end));
      batches.add(new Batch(start, end, ids, Objects.requireNonNull(ledger.current()).skips()));
      start = end;
      end = next(start);
    }
    return batches;
  }
}
