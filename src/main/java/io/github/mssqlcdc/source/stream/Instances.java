package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.source.row.CaptureSet;
import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.source.row.ColumnWarnings;
import io.github.mssqlcdc.source.row.Connector;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.ChangePlan;
import io.github.mssqlcdc.sqlserver.SqlServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The capture instances of a stream's table, and how each is read: those that the stream began
 * with, and newer ones that it meets on the way. One that is gone is still known by its columns.
 * Used by the stream's own thread only.
 */
final class Instances {
  private final SqlServer server;
  private final Connector connector;
  private final int fetchSize;
  private final RetentionGuard.OnLoss onLoss;
  private final @Nullable String columns;
  private final QueryFit fit;
  private CaptureSet table;
  private InstanceLine line;
  private final InstanceLine atStart;
  private Map<Integer, ChangeSource> sources;

  /**
   * @param table as it is now
   * @param schema the columns to read
   * @throws io.github.mssqlcdc.error.InvalidRequestException if one is unknown
   */
  Instances(
      SqlServer server,
      Connector connector,
      StreamOptions options,
      CaptureSet table,
      StructType schema) {
    this.server = server;
    this.connector = connector;
    this.fetchSize = options.source().fetchSize();
    this.onLoss =
        options.failOnDataLoss() ? RetentionGuard.OnLoss.FAIL : RetentionGuard.OnLoss.SKIP;
    this.columns = options.source().columns();
    this.fit = new QueryFit(schema, columns, table);
    this.table = table;
    this.line = InstanceLine.of(instances(table));
    this.atStart = line;
    this.sources = sources(fit.layouts(table));
  }

  /** Changes (after, through] of one instance. */
  record Part(ChangeSource source, Lsn after, Lsn through) {}

  RetentionGuard.OnLoss onLoss() {
    return onLoss;
  }

  CaptureInstance asked() {
    return table.asked();
  }

  ChangeSource oldest() {
    return source(line.oldest());
  }

  /** The one that has what follows a position. */
  ChangeSource after(Lsn position) {
    return source(line.after(position));
  }

  /** What each instance has of a batch; at least one part. */
  List<Part> parts(Lsn after, Lsn through) {
    return line.split(after, through).stream()
        .map(span -> new Part(source(span.instance()), span.after(), span.through()))
        .toList();
  }

  /** The one that had what follows a position when the run began. */
  CaptureInstance before(Lsn position) {
    return atStart.after(position);
  }

  InstanceLine line() {
    return line;
  }

  /** Columns that the query reads and the instance doesn't have. */
  List<String> notCaptured(CaptureInstance instance) {
    return fit.notCaptured(table, instance);
  }

  /** Columns that the query reads, and that none captured before this instance took over. */
  List<String> broughtBy(CaptureInstance newer) {
    return fit.broughtBy(table, newer, line.before(newer));
  }

  /** By the ids of their change tables. */
  Map<Integer, ChangeSource> sources() {
    return sources;
  }

  /**
   * Asks about the instance that has what follows a position: where that fails because the instance
   * was disabled, about the one that follows it.
   */
  <T> T asking(Lsn position, Function<ChangeSource, T> question) {
    while (true) {
      try {
        return question.apply(after(position));
      } catch (CdcException e) {
        if (!isGoneBehind(e)) {
          throw e;
        }
      }
    }
  }

  /**
   * Takes in a newer instance, if a plan shows one.
   *
   * @return warnings about its columns; null if there is none
   * @throws io.github.mssqlcdc.error.SchemaChangedException if the query doesn't fit its columns
   */
  @Nullable List<String> learn(ChangePlan plan) {
    Set<Integer> known =
        line.instances().stream().map(CaptureInstance::changeTableId).collect(Collectors.toSet());
    if (known.containsAll(plan.instances())) {
      return null;
    }
    List<String> before = ColumnWarnings.ofChanges(table.whole(), columns);
    refresh(server.instancesOf(asked()));
    return ColumnWarnings.ofChanges(table.whole(), columns).stream()
        .filter(warning -> !before.contains(warning))
        .toList();
  }

  /**
   * Looks up all columns anew, after DDL.
   *
   * @throws io.github.mssqlcdc.error.SchemaChangedException if the query doesn't fit them any more
   */
  void refreshColumns() {
    refresh(line.instances());
  }

  /**
   * Whether this failure is one because an instance has vanished that was there; then what is left
   * is read from here on.
   */
  boolean isGoneBehind(CdcException failure) {
    if (failure.code() != ErrorCode.SOURCE_FAILED && failure.code() != ErrorCode.MISSING_GRANT) {
      return false;
    }
    List<CaptureInstance> now = server.instancesOf(asked());
    Set<Integer> ids = now.stream().map(CaptureInstance::changeTableId).collect(Collectors.toSet());
    boolean isGone = line.instances().stream().anyMatch(one -> !ids.contains(one.changeTableId()));
    if (isGone && !now.isEmpty()) {
      refresh(now);
    }
    return isGone && !now.isEmpty();
  }

  private void refresh(List<CaptureInstance> now) {
    CaptureSet fresh = CaptureSet.load(server, asked(), now);
    Set<Integer> ids = now.stream().map(CaptureInstance::changeTableId).collect(Collectors.toSet());
    List<CapturedTable> tables =
        new ArrayList<>(
            table.tables().stream()
                .filter(former -> !ids.contains(former.instance().changeTableId()))
                .toList());
    tables.addAll(fresh.tables());
    CaptureSet all = new CaptureSet(asked(), tables);
    Map<Integer, RowLayout> layouts = fit.layoutsAfterChange(all);
    table = all;
    line = InstanceLine.of(now);
    sources = sources(layouts);
  }

  private Map<Integer, ChangeSource> sources(Map<Integer, RowLayout> layouts) {
    Map<Integer, ChangeSource> made = new HashMap<>();
    for (CaptureInstance instance : instances(table)) {
      made.put(
          instance.changeTableId(),
          new ChangeSource(
              connector,
              instance,
              Objects.requireNonNull(layouts.get(instance.changeTableId())),
              fetchSize,
              new RetentionGuard(instance.name(), onLoss)));
    }
    return Map.copyOf(made);
  }

  private ChangeSource source(CaptureInstance instance) {
    return Objects.requireNonNull(sources.get(instance.changeTableId()));
  }

  private static List<CaptureInstance> instances(CaptureSet table) {
    return table.tables().stream().map(CapturedTable::instance).toList();
  }
}
