package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.error.SchemaChangedException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.SourceEvent;
import io.github.mssqlcdc.metric.SourceEvent.ColumnGap;
import io.github.mssqlcdc.metric.SourceEvent.InstanceSwitched;
import io.github.mssqlcdc.metric.SourceEvent.SchemaChanged;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SchemaChangePolicy;
import io.github.mssqlcdc.source.row.CommitTimes;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.ChangePlan;
import io.github.mssqlcdc.sqlserver.DdlEntry;
import io.github.mssqlcdc.sqlserver.ServerClock;
import io.github.mssqlcdc.sqlserver.SqlServer;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges, before a row of a batch is read, whether the query can go on with what has happened to
 * the table and its capture instances in it. The statements themselves aren't read: what the
 * columns are afterwards decides. Not thread-safe.
 */
final class SchemaWatch {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaWatch.class);

  private final SqlServer server;
  private final Instances instances;
  private final SchemaChangePolicy policy;
  private final BatchLedger ledger;
  private Lsn told = Lsn.ZERO;

  SchemaWatch(
      SqlServer server, Instances instances, SchemaChangePolicy policy, BatchLedger ledger) {
    this.server = server;
    this.instances = instances;
    this.policy = policy;
    this.ledger = ledger;
  }

  /**
   * Whether a plan shows a capture instance that wasn't known: then the batch has to be planned
   * anew.
   *
   * @throws SchemaChangedException if the query doesn't fit its columns
   */
  boolean isNews(ChangePlan plan) {
    List<String> warnings = instances.learn(plan);
    if (warnings == null) {
      return false;
    }
    for (String warning : warnings) {
      LOG.warn("{}", warning);
      ledger.warn(warning);
    }
    return true;
  }

  /**
   * @param plans of the batch's parts
   * @param clock the server's clock for the batch
   * @return what happened, in the order of the log
   * @throws SchemaChangedException if the query can't go on
   */
  List<SourceEvent> judge(Offset start, Offset end, List<ChangePlan> plans, ServerClock clock) {
    List<DdlEntry> ddl = plans.stream().flatMap(plan -> plan.ddl().stream()).toList();
    if (!ddl.isEmpty()) {
      allow(ddl.get(0));
      instances.refreshColumns();
    }
    CommitTimes times = new CommitTimes(clock, start.commitTs(), end.commitTs());
    List<SourceEvent> events = new ArrayList<>();
    for (DdlEntry entry : ddl) {
      events.add(new SchemaChanged(entry.lsn(), at(entry.lsn(), times), entry.statement()));
    }
    for (CaptureInstance newer : instances.line().begunIn(start.lsn(), end.lsn())) {
      Lsn first = Objects.requireNonNull(newer.startLsn());
      events.add(
          new InstanceSwitched(
              first,
              at(first, times),
              instances.line().before(newer).name(),
              newer.name(),
              instances.notCaptured(newer)));
      events.addAll(gaps(newer, first, at(first, times), times));
    }
    events.sort(Comparator.comparing(SourceEvent::lsn));
    tell(events);
    return events;
  }

  /** What was written to a new column before the instance that captures it is in none. */
  private List<ColumnGap> gaps(
      CaptureInstance newer, Lsn first, @Nullable LocalDateTime firstTs, CommitTimes times) {
    List<String> columns = instances.broughtBy(newer);
    if (columns.isEmpty()) {
      return List.of();
    }
    List<DdlEntry> ddl = server.ddlHistory(instances.line().before(newer));
    return columns.stream()
        .map(
            column -> {
              Lsn from = addedAt(column, first, ddl);
              return new ColumnGap(
                  first,
                  firstTs,
                  newer.name(),
                  column,
                  from,
                  from == null ? null : at(from, times));
            })
        .toList();
  }

  /** The last statement counts: a column may have been dropped and added again. */
  private static @Nullable Lsn addedAt(String column, Lsn before, List<DdlEntry> ddl) {
    return ddl.stream()
        .filter(entry -> entry.lsn().isBefore(before) && entry.adds(column))
        .map(DdlEntry::lsn)
        .reduce((earlier, later) -> later)
        .orElse(null);
  }

  private void allow(DdlEntry first) {
    if (policy == SchemaChangePolicy.FAIL) {
      throw new SchemaChangedException(
          "Cannot go on with the changes of "
              + instances.asked().description()
              + ": its table was changed at "
              + first.lsn()
              + " ("
              + first.statement()
              + "), and option 'schemaChangePolicy' is fail. Nothing of the batch was read. Look at"
              + " the change, then restart once with 'schemaChangePolicy' = classify");
    }
  }

  private @Nullable LocalDateTime at(Lsn lsn, CommitTimes times) {
    return server.lastMapEntry(lsn).map(times::of).orElse(null);
  }

  /** Once in a run: a batch may be planned again. */
  private void tell(List<SourceEvent> events) {
    Lsn before = told;
    for (SourceEvent event : events) {
      if (event.lsn().isAfter(before)) {
        told = event.lsn();
        tell(event);
      }
    }
  }

  private void tell(SourceEvent event) {
    if (event instanceof InstanceSwitched switched) {
      LOG.warn(
          "Capture instance '{}': '{}' has taken over from {} on (commit time {} UTC); columns that"
              + " the query reads and it doesn't capture: {}",
          switched.from(),
          switched.to(),
          switched.lsn(),
          switched.commitTs(),
          switched.notCaptured());
    } else if (event instanceof ColumnGap gap) {
      LOG.warn(
          "Capture instance '{}': its column {} wasn't captured before. What was written to it from"
              + " {} up to {} (commit time {} UTC) is in no change table; a snapshot after the"
              + " switch has it",
          gap.to(),
          gap.column(),
          gap.from() == null ? "its beginning" : gap.from(),
          gap.lsn(),
          gap.commitTs());
    } else if (event instanceof SchemaChanged changed) {
      LOG.warn(
          "{}: the table was changed at {} (commit time {} UTC): {}",
          instances.asked().description(),
          changed.lsn(),
          changed.commitTs(),
          changed.statement());
    }
  }
}
