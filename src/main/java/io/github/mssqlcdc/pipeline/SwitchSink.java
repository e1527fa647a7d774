package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.SourceEvent;
import io.github.mssqlcdc.sink.BatchSink;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * A batch's rows and facts, then the snapshot for the columns that came with a newer capture
 * instance in it. Used by the stream's own thread only.
 */
final class SwitchSink implements VoidFunction2<Dataset<Row>, Long> {
  private static final long serialVersionUID = 1L;

  private final transient BatchSink sink;
  private final transient BatchLedger ledger;
  private final transient SwitchSnapshot snapshot;

  SwitchSink(BatchSink sink, BatchLedger ledger, SwitchSnapshot snapshot) {
    this.sink = sink;
    this.ledger = ledger;
    this.snapshot = snapshot;
  }

  @Override
  public void call(Dataset<Row> batch, Long batchId) {
    sink.call(batch, batchId);
    BatchLedger.Batch planned = ledger.current();
    if (planned != null
        && planned.events().stream().anyMatch(SourceEvent.ColumnGap.class::isInstance)) {
      snapshot.run();
    }
  }
}
