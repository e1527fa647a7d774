package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.metric.SkippedChanges;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.source.row.CaptureSet;
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
import org.apache.spark.sql.connector.read.PartitionReader;
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
  final Instances instances;
  private final HeadLimits caps;

  /** A batch as it was read. */
  record Batch(Offset start, Offset end, List<Integer> ids, List<SkippedChanges> skips) {}

  /**
   * @param options of the database and the stream
   */
  DirectStream(Map<String, String> options, String... more) {
    Map<String, String> all = new HashMap<>(options);
    all.put("pollInterval", "1ms");
    all.put("idleInterval", "0ms");
    all.put("fetchSize", "4");
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    StreamOptions parsed = StreamOptions.parse(all);
    server = TestClients.connect(parsed);
    CaptureSet table =
        CaptureSet.load(server, Objects.requireNonNull(parsed.source().captureInstance()));
    instances =
        new Instances(
            server,
            () -> server,
            parsed,
            table,
            RowLayout.inferred(Set.of(RowLayout.Extra.COMMAND_ID), table.columns()));
    HistoryCheck history = new HistoryCheck(instances.oldest().instance().name());
    initial = new InitialOffset(server, instances.oldest().instance(), parsed.start());
    ends =
        new BatchEnds(
            server,
            instances,
            history,
            new Admission(parsed.idleInterval(), System::nanoTime),
            parsed.pollInterval(),
            System::nanoTime);
    planner =
        new BatchPlanner(
            server,
            instances,
            new SchemaWatch(server, instances, parsed.schemaChangePolicy(), ledger),
            history,
            ledger,
            new RangePlanner(1),
            4,
            parsed.pollInterval());
    caps = new HeadLimits(null, parsed.maxCommitsPerBatch(), parsed.maxRowsPerBatch());
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

  /** Values of the column {@code id}, in order. */
  List<Integer> read(List<RangePartition> ranges) {
    RangeReports reports = new RangeReports(null);
    List<Integer> ids = new ArrayList<>();
    int column = instances.oldest().layout().schema().fieldIndex("id");
    for (RangePartition range : ranges) {
      try (PartitionReader<ColumnarBatch> reader =
          new ChangeReaderFactory(instances.sources(), reports).createColumnarReader(range)) {
        while (reader.next()) {
          ColumnarBatch batch = reader.get();
          for (int row = 0; row < batch.numRows(); row++) {
            ids.add(batch.column(column).getInt(row));
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    reports.value().values().forEach(report -> RangeReports.enter(report, ledger));
    return ids;
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
