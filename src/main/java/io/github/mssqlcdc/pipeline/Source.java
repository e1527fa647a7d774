package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.backfill.BackfillSource;
import io.github.mssqlcdc.backfill.Seed;
import io.github.mssqlcdc.backfill.SeedColumn;
import io.github.mssqlcdc.backfill.SourcePast;
import io.github.mssqlcdc.backfill.WholeSnapshot;
import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.chunk.SnapshotKey;
import io.github.mssqlcdc.delta.schema.VersionedTable;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.options.Start;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.source.row.CaptureSet;
import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.source.row.ColumnWarnings;
import io.github.mssqlcdc.source.row.PartitionWarning;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.source.stream.HistoryCheck;
import io.github.mssqlcdc.source.stream.LossCheck;
import io.github.mssqlcdc.source.stream.LossCheck.Loss;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.HeadLimits;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServers;
import io.github.mssqlcdc.sqlserver.TableInstances;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.ReadColumn;
import io.github.mssqlcdc.type.ReadColumns;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The source of a request, reached and looked at before anything is written.
 *
 * @param frames its rows and changes
 * @param options as given by the user
 * @param captured names of all columns that are captured of its table
 * @param warnings of its columns, logged already
 */
record Source(
    SourceFrames frames,
    Map<String, String> options,
    SqlServer server,
    CaptureInstance instance,
    List<String> captured,
    List<String> warnings) {
  /** Of the options only their names: a value may be a secret. */
  @Override
  public String toString() {
    return "Source[" + instance.description() + ", options " + options.keySet() + "]";
  }

  /**
   * @throws io.github.mssqlcdc.error.CdcException if the database can't be reached, CDC is off or
   *     the login may not read the change table
   */
  static Source reach(SparkSession spark, Map<String, String> options) {
    StreamOptions parsed = StreamOptions.parse(options);
    SqlServer server = SqlServers.connect(parsed.source(), parsed.pollInterval());
    TableInstances instances = server.tableInstances(parsed.source().captureInstance());
    CaptureInstance instance = instances.asked();
    // reads next to nothing, but from the change table: a missing grant shows now
    var unused = server.head(instance, Lsn.ZERO, new HeadLimits(null, 1L, null));
    CapturedTable table = CaptureSet.load(server, instance, instances.all()).whole();
    String columns = parsed.source().columns();
    if (columns != null) {
      // must be captured, in a type that holds it, before a table is made
      var ignored = ReadColumns.declared(table.columns(), columns);
    }
    // must be captured, before a table is read
    var alike =
        SnapshotKey.of(table.instance(), table.columns(), SnapshotOptions.parse(options).keys());
    List<String> warnings = ColumnWarnings.logOfChanges(table, columns);
    List<String> captured = table.columns().stream().map(CapturedColumn::name).toList();
    return new Source(
        new SourceFrames(spark, options, instance), options, server, instance, captured, warnings);
  }

  /**
   * A start by time is looked up when the stream begins; that it can be is known before.
   *
   * @throws io.github.mssqlcdc.error.DataLossException if CDC no longer has that time's changes
   * @throws InvalidRequestException if it lies in the future
   */
  void requireStart() {
    if (StreamOptions.parse(options).start() instanceof Start.From from) {
      var unused = server.startAt(instance, from.time());
    }
  }

  /**
   * @param isContinued whether the same stream has written to it before
   * @throws InvalidRequestException if the table is there and is no bronze table, or holds rows of
   *     another source table
   */
  void requireFits(LakeTable target, BooleanSupplier isContinued) {
    if (!target.exists()) {
      return;
    }
    VersionedTable.check(target);
    BronzeTable.requireIs(target);
    for (String held : BronzeTable.anInstanceIn(target)) {
      // names that differ in case may be two tables' on a case-sensitive database
      boolean isOurs =
          server.isInstanceOf(held, instance)
              || (!server.isInstanceOfAnother(held, instance)
                  && (isContinued.getAsBoolean() || BronzeTable.hasRowOf(target, names())));
      if (!isOurs) {
        throw new InvalidRequestException(
            ErrorCode.INVALID_TARGET,
            "Cannot write capture instance '"
                + instance.name()
                + "' to '"
                + target.ref()
                + "': it holds rows of capture instance '"
                + held
                + "'. Give each source table a target, an appId and a checkpoint of its own");
      }
    }
  }

  /** The target, as the rows of this source's table are written to it. */
  BronzeTable bronze(LakeTable target) {
    return new BronzeTable(target, instance.keyColumns(), captured);
  }

  private List<String> names() {
    return server.instancesOf(instance).stream().map(CaptureInstance::name).toList();
  }

  /**
   * The captured columns of the stream, as a seed fills them.
   *
   * @param schema of the changes
   */
  List<SeedColumn> seedColumns(StructType schema) {
    List<CapturedColumn> captured = server.capturedColumns(instance);
    List<SeedColumn> columns = new ArrayList<>();
    for (ReadColumn read : RowLayout.of(schema, captured).captured()) {
      captured.stream()
          .filter(column -> column.name().equals(read.name()))
          .map(column -> new SeedColumn(read.field(), filledFrom(column)))
          .forEach(columns::add);
    }
    return columns;
  }

  private static SeedColumn.Source filledFrom(CapturedColumn column) {
    if (column.isComputed()) {
      return SeedColumn.Source.NULL;
    }
    return column.isOnTable() ? SeedColumn.Source.COPY : SeedColumn.Source.COPY_OR_NULL;
  }

  Seed seedInto(BronzeTable bronze, Clock clock) {
    return new Seed(server, instance, bronze, this::requireSamePast, clock);
  }

  WholeSnapshot snapshotInto(BronzeTable bronze, Clock clock) {
    return new WholeSnapshot(
        server, instance, bronze, frames::snapshot, this::requireSamePast, clock);
  }

  /** What the source has lost of what follows a position. */
  Optional<Loss> lostAfter(Offset position) {
    return new LossCheck(server, instance, pollInterval()).after(position);
  }

  /** What a stream's changes don't show, logged. */
  List<String> unseen() {
    return PartitionWarning.log(server, server.instancesOf(instance));
  }

  /** Whether the source still has the past that a target was written from. */
  SourcePast past(BronzeTable bronze) {
    return new SourcePast(bronze, this::requireSamePast);
  }

  /**
   * @throws io.github.mssqlcdc.error.HistoryChangedException if the source has another past there
   */
  void requireSamePast(Offset position) {
    new HistoryCheck(instance.name()).requireSame(server, position, pollInterval());
  }

  private Duration pollInterval() {
    return StreamOptions.parse(options).pollInterval();
  }

  /** Where the options tell a new stream to begin, if they name a position. */
  @Nullable Offset explicitStart() {
    return StreamOptions.parse(options).start() instanceof Start.After after
        ? after.offset()
        : null;
  }

  BackfillSource chunks(Clock clock) {
    CapturedTable table = new CapturedTable(instance, server.capturedColumns(instance));
    return new BackfillSource(
        server,
        instance,
        SnapshotKey.of(instance, table.columns(), SnapshotOptions.parse(options).keys()),
        frames::chunks,
        this::requireSamePast,
        position -> lostAfter(position).map(loss -> loss.kind().text() + ": " + loss.what()),
        clock);
  }
}
