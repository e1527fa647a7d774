package io.github.mssqlcdc.facts;

import static org.apache.spark.sql.functions.max;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.github.mssqlcdc.delta.schema.TableColumn;
import io.github.mssqlcdc.delta.schema.VersionedTable;
import io.github.mssqlcdc.delta.table.Append.Outcome;
import io.github.mssqlcdc.delta.table.KnownReads;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.delta.table.StoredJson;
import io.github.mssqlcdc.delta.table.TableDefinition;
import io.github.mssqlcdc.delta.table.TransactionId;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/** The facts of all streams that share the table. Not thread-safe. */
public final class FactsTable {
  private static final StructType SCHEMA = TableColumn.schema(FactsColumn.values());

  /** What a facts table of any version has. */
  private static final List<FactsColumn> IDENTITY =
      List.of(
          FactsColumn.APP_ID,
          FactsColumn.BATCH_ID,
          FactsColumn.EVENT,
          FactsColumn.END_LSN,
          FactsColumn.DETAIL,
          FactsColumn.TARGET);

  /** What rows are looked for by. */
  private static final List<FactsColumn> STATISTICS =
      List.of(
          FactsColumn.APP_ID,
          FactsColumn.BATCH_ID,
          FactsColumn.EVENT,
          FactsColumn.END_LSN,
          FactsColumn.END_COMMIT_TS,
          FactsColumn.TARGET,
          FactsColumn.WRITTEN_AT);

  private static final String HISTORY = "history";

  /** Events whose detail names the history; a few per snapshot, however many chunks it has. */
  private static final Set<FactsEvent> OF_A_HISTORY =
      EnumSet.of(
          FactsEvent.SNAPSHOT_OPEN,
          FactsEvent.BOOTSTRAP,
          FactsEvent.RESNAPSHOT,
          FactsEvent.SWITCH_SNAPSHOT);

  /** What tells of snapshots, and of what they are for. */
  private static final Set<FactsEvent> OF_SNAPSHOTS =
      EnumSet.of(
          FactsEvent.SNAPSHOT_OPEN,
          FactsEvent.BOOTSTRAP,
          FactsEvent.RESNAPSHOT,
          FactsEvent.SWITCH_SNAPSHOT,
          FactsEvent.COLUMN_GAP,
          FactsEvent.SNAPSHOT_ABANDONED,
          FactsEvent.DATA_SKIPPED);

  private static final double SECONDS_PER_HOUR = 3600;

  private static final String OF_BATCHES = "#facts";

  private final LakeTable table;
  private final KnownReads known;

  private FactsTable(LakeTable table) {
    this.table = table;
    this.known = new KnownReads(table);
  }

  /** What tells a read from others. */
  private record Asked(String question, List<?> about) {
    Asked(String question, Object... about) {
      this(question, List.of(about));
    }
  }

  /**
   * The facts table, created if there is none.
   *
   * @throws InvalidRequestException if the table there is no facts table, or one of a later release
   */
  public static FactsTable open(LakeTable table) {
    if (table.exists()) {
      requireColumns(table, IDENTITY);
    }
    VersionedTable.open(
        table,
        new TableDefinition(
            "Facts of CDC ingestion: one row per micro-batch or event",
            SCHEMA,
            STATISTICS.stream().map(FactsColumn::columnName).toList(),
            Map.of()));
    requireColumns(table, List.of(FactsColumn.values()));
    return new FactsTable(table);
  }

  private static void requireColumns(LakeTable table, List<FactsColumn> columns) {
    VersionedTable.requireColumns(
        table, columns.stream().map(FactsColumn::field).toList(), "write facts to", "facts table");
  }

  /** A batch's row, with the rows of its events; false if the table has them already. */
  public boolean appendBatch(String sinkId, long batchId, List<FactsRow> rows) {
    return append(rows, new TransactionId(sinkId + OF_BATCHES, batchId));
  }

  /** The row that says that the snapshot of a generation is complete; false if it is there. */
  public boolean appendCompletion(String appId, long generation, FactsRow row) {
    return append(List.of(row), new TransactionId(appId + "#events", generation));
  }

  /** Whether {@link #appendCompletion} has written the row of this generation, or a later one. */
  public boolean hasCompletion(String appId, long generation) {
    return table.latestTransaction(appId + "#events").orElse(-1) >= generation;
  }

  /**
   * Rows of an event, once; false if this version of the application id, or a higher one, is there.
   */
  public boolean appendOnce(String application, long version, List<FactsRow> rows) {
    return append(rows, new TransactionId(application, version));
  }

  /** The highest version that {@link #appendOnce} has written under this application id. */
  public OptionalLong newest(String application) {
    return table.latestTransaction(application);
  }

  /** A row that has no transaction id: it may come to stand there more than once. */
  public void append(FactsRow row) {
    table.append(List.of(row.row()), SCHEMA);
  }

  private boolean append(List<FactsRow> rows, TransactionId id) {
    return table.append(rows.stream().map(FactsRow::row).toList(), SCHEMA, id)
        instanceof Outcome.Committed;
  }

  /** The highest batch id that this sink has facts of. */
  public OptionalLong latestBatch(String sinkId) {
    return table.latestTransaction(sinkId + OF_BATCHES);
  }

  /** The LSN that this batch ended at, by its row. A Spark job. */
  public Optional<Lsn> endLsn(String sinkId, long batchId) {
    return ofBatch(sinkId, batchId)
        .select(FactsColumn.END_LSN.column())
        .limit(1)
        .collectAsList()
        .stream()
        .map(row -> Lsn.parse(row.getString(0)))
        .findFirst();
  }

  /**
   * The latest commit time that a position of this target was written with. A Spark job, unless the
   * table is as it was when it was asked last.
   */
  public Optional<LocalDateTime> lastEndCommitTs(String target) {
    return known.get(new Asked("lastEndCommitTs", target), () -> readLastEndCommitTs(target));
  }

  private Optional<LocalDateTime> readLastEndCommitTs(String target) {
    Row row =
        table
            .read()
            .where(FactsColumn.TARGET.column().equalTo(target))
            .agg(max(FactsColumn.END_COMMIT_TS.column()))
            .head();
    return Optional.ofNullable((LocalDateTime) row.get(0));
  }

  /** The highest history that the events of a stream and its target name; 0 without. */
  public int highestHistory(String appId, String target) {
    return told(appId, target).stream()
        .filter(entry -> OF_A_HISTORY.contains(entry.event()))
        .map(entry -> entry.detail().path(HISTORY))
        .filter(JsonNode::isInt)
        .map(JsonNode::intValue)
        .reduce(0, Math::max);
  }

  /** The chunks of this application and its generations, in no order. A Spark job. */
  public List<FactsChunk> chunks(String appId) {
    return table
        .read()
        .where(isOf(appId))
        .where(FactsColumn.EVENT.column().equalTo(FactsEvent.SNAPSHOT_CHUNK.text()))
        .collectAsList()
        .stream()
        .flatMap(row -> FactsChunk.of(row).stream())
        .toList();
  }

  /**
   * The rows that tell of a stream and its snapshots, and of its target's, whatever stream they are
   * of; in no order. A Spark job, unless the table is as it was when it was asked last.
   */
  public List<FactsEntry> told(String appId, String target) {
    return known.get(new Asked("told", appId, target), () -> readTold(appId, target));
  }

  private List<FactsEntry> readTold(String appId, String target) {
    return table
        .read()
        .where(isOf(appId).or(FactsColumn.TARGET.column().equalTo(target)))
        .where(FactsColumn.EVENT.column().isin(texts(OF_SNAPSHOTS)))
        .where(FactsColumn.END_LSN.column().isNotNull())
        .collectAsList()
        .stream()
        .map(FactsTable::entry)
        .toList();
  }

  private static Object[] texts(Set<FactsEvent> events) {
    return events.stream().map(FactsEvent::text).toArray();
  }

  private static Column isOf(String appId) {
    return SinkIds.isOf(appId, FactsColumn.APP_ID.column());
  }

  private static FactsEntry entry(Row row) {
    return new FactsEntry(
        FactsEvent.valueOf(FactsColumn.EVENT.<String>of(row).toUpperCase(Locale.ROOT)),
        FactsColumn.APP_ID.of(row),
        FactsColumn.TARGET.of(row),
        end(row),
        FactsColumn.ROWS.of(row),
        FactsColumn.READ_MB.of(row),
        FactsColumn.STARTED_AT.of(row),
        StoredJson.parse(FactsColumn.DETAIL.of(row))
            .orElseGet(JsonNodeFactory.instance::objectNode));
  }

  private static Offset end(Row row) {
    return new Offset(
        Lsn.parse(FactsColumn.END_LSN.of(row)),
        FactsColumn.END_COMMIT_TS.of(row),
        FactsColumn.END_AT.of(row));
  }

  /**
   * The retention headroom, in hours, that this sink's newest batch was written with, less the time
   * since: cleanup goes on while a stream stands still. Empty if there is no batch, or it didn't
   * measure any. A Spark job.
   *
   * @param now in UTC
   */
  public Optional<Double> newestHeadroom(String sinkId, LocalDateTime now) {
    OptionalLong newest = latestBatch(sinkId);
    return newest.isEmpty()
        ? Optional.empty()
        : ofBatch(sinkId, newest.getAsLong())
            .select(FactsColumn.RETENTION_HEADROOM_HOURS.column(), FactsColumn.WRITTEN_AT.column())
            .limit(1)
            .collectAsList()
            .stream()
            .filter(row -> !row.isNullAt(0))
            .map(row -> row.getDouble(0) - hoursSince((LocalDateTime) row.get(1), now))
            .findFirst();
  }

  private static double hoursSince(LocalDateTime written, LocalDateTime now) {
    return Math.max(0, written.until(now, ChronoUnit.SECONDS)) / SECONDS_PER_HOUR;
  }

  /**
   * The position that this sink's newest batch ended at; empty if there is no batch, or its row is
   * gone. A Spark job.
   */
  public Optional<Offset> newestEnd(String sinkId) {
    OptionalLong newest = latestBatch(sinkId);
    return newest.isEmpty()
        ? Optional.empty()
        : ofBatch(sinkId, newest.getAsLong()).limit(1).collectAsList().stream()
            .map(FactsTable::end)
            .findFirst();
  }

  private Dataset<Row> ofBatch(String sinkId, long batchId) {
    return table
        .read()
        .where(FactsColumn.APP_ID.column().equalTo(sinkId))
        .where(FactsColumn.BATCH_ID.column().equalTo(batchId))
        .where(FactsColumn.EVENT.column().isNull());
  }

  /** The detail of a row. */
  public static String detail(Map<String, ?> entries) {
    return StoredJson.write(entries);
  }
}
