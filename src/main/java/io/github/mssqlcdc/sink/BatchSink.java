package io.github.mssqlcdc.sink;

import io.github.mssqlcdc.bronze.BatchKey;
import io.github.mssqlcdc.bronze.BatchRange;
import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.bronze.BronzeTable.Appended;
import io.github.mssqlcdc.facts.FactsRow;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.BatchMeasure;
import io.github.mssqlcdc.metric.RangeMeasure;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a stream does with each micro-batch: its rows into bronze, then a row into the facts, each
 * once, however often the batch is replayed. Used by the stream's own thread only.
 */
public final class BatchSink implements VoidFunction2<Dataset<Row>, Long> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(BatchSink.class);

  private final transient BronzeTable bronze;
  private final transient @Nullable FactsTable facts;
  private final transient BatchLedger ledger;
  private final transient BatchFacts rows;
  private final String sinkId;
  private final int history;

  /**
   * @param sinkId the stream's id in both tables
   * @param history the history of the source that the rows belong to
   * @param facts null: none are kept
   * @param clock in UTC: when a row of the facts is built
   */
  public BatchSink(
      String sinkId,
      int history,
      BronzeTable bronze,
      @Nullable FactsTable facts,
      BatchLedger ledger,
      Clock clock) {
    this.sinkId = sinkId;
    this.history = history;
    this.bronze = bronze;
    this.facts = facts;
    this.ledger = ledger;
    this.rows = new BatchFacts(bronze.name(), clock);
  }

  /**
   * Tells the source up to where bronze holds what this stream wrote, so that a batch replayed
   * after a restart isn't read again. Call it before the stream starts.
   */
  public void announceHeld() {
    OptionalLong latest = bronze.latestBatch(sinkId);
    if (latest.isPresent()) {
      bronze
          .batches()
          .committed(new BatchKey(sinkId, latest.getAsLong()))
          .ifPresent(range -> ledger.heldThrough(range.end().lsn()));
    }
    OptionalLong told = facts == null ? OptionalLong.empty() : facts.latestBatch(sinkId);
    if (told.orElse(-1) > latest.orElse(-1)) {
      BatchKey key = new BatchKey(sinkId, told.getAsLong());
      ledger.toldThrough(() -> factsEnd(key).orElse(null));
    }
  }

  @Override
  public void call(Dataset<Row> batch, Long batchId) {
    BatchKey key = new BatchKey(sinkId, batchId);
    BatchLedger.Batch planned = planned(key);
    BatchRange range = new BatchRange(planned.start().lsn(), planned.end());
    Appended written = write(batch, key, range, planned);
    if (facts != null) {
      writeFacts(facts, new BatchFacts.Work(key, range, planned.startedAt()), written, planned);
    }
  }

  private BatchLedger.Batch planned(BatchKey key) {
    BatchLedger.Batch planned = ledger.current();
    if (planned == null) {
      throw new IllegalStateException(
          "Batch "
              + key.batchId()
              + " of '"
              + sinkId
              + "' was not planned by this stream's source");
    }
    return planned;
  }

  private Appended write(
      Dataset<Row> batch, BatchKey key, BatchRange range, BatchLedger.Batch planned) {
    if (hasNoRows(planned)) {
      if (bronze.latestBatch(sinkId).orElse(-1) < key.batchId()) {
        return Appended.NOTHING;
      }
      confirm(key, range);
      return Appended.BEFORE;
    }
    BronzeTable.Checks checks =
        new BronzeTable.Checks(
            previous -> requireBefore(previous, key, range), () -> !hasNoRows(planned));
    Appended appended =
        bronze.append(batch, key, range, history, checks, NotedEvents.of(planned.events()));
    if (appended == Appended.BEFORE) {
      confirm(key, range);
      if (planned.events().isEmpty() && facts != null && !isHeld(facts, key)) {
        ledger.happened(
            planned.start(), planned.end(), NotedEvents.read(bronze.batches().happened(key)));
      }
    }
    return appended;
  }

  /** Before the read: nothing was planned. After it: nothing was there. */
  private static boolean hasNoRows(BatchLedger.Batch planned) {
    RangeMeasure total = planned.measure().total();
    return total != null && total.rows() == 0;
  }

  /** Of batches with one id after the other, the ranges follow each other, too. */
  private void requireBefore(BatchKey latest, BatchKey key, BatchRange range) {
    endOf(latest, range)
        .filter(end -> end.isAfter(range.start()))
        .ifPresent(
            end -> {
              throw ConflictingWriter.overlap(bronze.name(), key, range, latest, end);
            });
  }

  /** Where a batch in the table ended: by its commit, else by its facts, else by its rows. */
  private Optional<Lsn> endOf(BatchKey batch, BatchRange next) {
    return bronze
        .batches()
        .committed(batch)
        .map(range -> range.end().lsn())
        .or(() -> factsEnd(batch))
        .or(() -> bronze.batches().highestAfter(batch, next.start(), history));
  }

  /** Bronze has this batch id: with this range, or from another writer? */
  private void confirm(BatchKey key, BatchRange range) {
    Optional<BatchRange> committed = bronze.batches().committed(key);
    if (committed.isPresent()) {
      if (!committed.get().covers(range)) {
        throw ConflictingWriter.otherRange(bronze.name(), key, range, committed.get());
      }
      return;
    }
    // the log has dropped the commit, or this sink skipped the batch
    boolean isOwn =
        factsEnd(key)
            .map(range.end().lsn()::equals)
            .orElseGet(() -> bronze.batches().rowsOf(key, range, history).rows() > 0);
    if (!isOwn) {
      throw ConflictingWriter.unknownRange(bronze.name(), key, range);
    }
  }

  private Optional<Lsn> factsEnd(BatchKey batch) {
    return facts == null ? Optional.empty() : facts.endLsn(batch.appId(), batch.batchId());
  }

  private void writeFacts(
      FactsTable table, BatchFacts.Work work, Appended written, BatchLedger.Batch planned) {
    List<String> warnings = ledger.takeWarnings();
    if (written == Appended.BEFORE && isHeld(table, work.key())
        || !table.appendBatch(
            sinkId, work.key().batchId(), rows(work, written, planned, warnings))) {
      warnings.forEach(ledger::warn);
      requireOwnFacts(table, work);
    }
  }

  private static boolean isHeld(FactsTable table, BatchKey key) {
    return table.latestBatch(key.appId()).orElse(-1) >= key.batchId();
  }

  private List<FactsRow> rows(
      BatchFacts.Work work, Appended written, BatchLedger.Batch planned, List<String> warnings) {
    return Stream.of(
            Stream.of(row(work, written, planned, warnings)),
            planned.skips().stream().map(skip -> rows.skipped(work, skip)),
            planned.events().stream().map(event -> rows.happened(work, event)))
        .flatMap(each -> each)
        .toList();
  }

  private FactsRow row(
      BatchFacts.Work work, Appended written, BatchLedger.Batch planned, List<String> warnings) {
    BatchMeasure measure = planned.measure();
    if (written != Appended.BEFORE && measure.total() != null) {
      return rows.measured(work, measure, warnings);
    }
    if (written == Appended.NOW) {
      LOG.warn("{}: ranges of batch {} did not report", sinkId, work.key().batchId());
    }
    return rows.rebuilt(
        work, measure, bronze.batches().rowsOf(work.key(), work.range(), history), warnings);
  }

  /** The facts have this batch id, or a later one. */
  private void requireOwnFacts(FactsTable table, BatchFacts.Work work) {
    Lsn end = factsEnd(work.key()).orElse(null);
    if (end != null && !end.equals(work.range().end().lsn())) {
      throw ConflictingWriter.otherFacts(bronze.name(), work.key(), work.range(), end);
    }
    long latest = table.latestBatch(sinkId).orElse(work.key().batchId());
    if (end == null && latest > work.key().batchId()) {
      throw ConflictingWriter.laterFacts(bronze.name(), work.key(), work.range(), latest);
    }
  }
}
