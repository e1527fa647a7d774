package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Splits a range into disjoint parts that ascend in the change table's order, each a predicate that
 * the clustered index ({@code __$start_lsn}, {@code __$command_id}, {@code __$seqval}, {@code
 * __$operation}) answers by one seek: equal in its first columns, between two values in the next.
 * One predicate with OR over these columns would be the same rows, but a seek by LSN alone: each
 * range of one huge commit would scan it from its start.
 *
 * <p>The parts speak of the variables that {@link #declare} declares, and of the table as {@code
 * ct}. NULL command ids come first, as they do in the index.
 */
final class RangeParts {
  private static final String LSN = "ct.[__$start_lsn]";
  private static final String COMMAND = "ct.[__$command_id]";
  private static final String IN_FIRST = LSN + " = @from_lsn";
  private static final String IN_LAST = LSN + " = @through";

  private final boolean hasCommandIds;
  private final @Nullable ChangePosition from;
  private final @Nullable ChangePosition before;

  private RangeParts(CaptureInstance instance, ChangeRange range) {
    this.hasCommandIds = instance.hasCommandIds();
    this.from = range.from();
    this.before = range.before();
  }

  /** The predicates, in order; at least one. */
  static List<String> of(CaptureInstance instance, ChangeRange range) {
    return new RangeParts(instance, range).parts();
  }

  static void declare(Batch batch, ChangeRange range) {
    batch.add(
        "DECLARE @after binary(10) = ?, @through binary(10) = ?;", range.after(), range.through());
    ChangePosition from = range.from();
    if (from != null) {
      batch.add("DECLARE @from_lsn binary(10) = ?;", from.commit());
      declare(batch, "from", from);
    }
    ChangePosition before = range.before();
    if (before != null) {
      declare(batch, "before", before);
    }
  }

  private static void declare(Batch batch, String name, ChangePosition position) {
    batch.add(
        "DECLARE @" + name + "_seqval binary(10) = ?, @" + name + "_operation int = ?;",
        position.seqval(),
        position.operation());
    Integer commandId = position.commandId();
    if (commandId != null) {
      batch.add("DECLARE @" + name + "_command int = ?;", commandId);
    }
  }

  private List<String> parts() {
    if (from != null && before != null && from.commit().equals(before.commit())) {
      return insideOneCommit(from, before);
    }
    List<String> parts = new ArrayList<>();
    if (from != null) {
      parts.add(IN_FIRST + inCommand("from", from) + notBefore());
      if (hasCommandIds) {
        parts.add(IN_FIRST + afterCommand(from));
      }
    }
    parts.add(
        LSN
            + (from == null ? " > @after" : " > @from_lsn")
            + " AND "
            + LSN
            + (before == null ? " <= @through" : " < @through"));
    if (before != null) {
      if (before.commandId() != null) {
        parts.add(IN_LAST + " AND " + COMMAND + " IS NULL");
        parts.add(IN_LAST + " AND " + COMMAND + " < @before_command");
      }
      parts.add(IN_LAST + inCommand("before", before) + isBefore());
    }
    return parts;
  }

  private List<String> insideOneCommit(ChangePosition first, ChangePosition end) {
    if (Objects.equals(first.commandId(), end.commandId())) {
      return List.of(IN_LAST + inCommand("from", first) + notBefore() + isBefore());
    }
    return List.of(
        IN_LAST + inCommand("from", first) + notBefore(),
        IN_LAST + afterCommand(first) + " AND " + COMMAND + " < @before_command",
        IN_LAST + inCommand("before", end) + isBefore());
  }

  private String inCommand(String name, ChangePosition position) {
    if (!hasCommandIds) {
      return "";
    }
    return " AND "
        + COMMAND
        + (position.commandId() == null ? " IS NULL" : " = @" + name + "_command");
  }

  private static String afterCommand(ChangePosition position) {
    return " AND " + COMMAND + (position.commandId() == null ? " IS NOT NULL" : " > @from_command");
  }

  /** The seek goes by sequence value; what its operation excludes is a row or two. */
  private static String notBefore() {
    return " AND ct.[__$seqval] >= @from_seqval"
        + " AND (ct.[__$seqval] > @from_seqval OR ct.[__$operation] >= @from_operation)";
  }

  private static String isBefore() {
    return " AND ct.[__$seqval] <= @before_seqval"
        + " AND (ct.[__$seqval] < @before_seqval OR ct.[__$operation] < @before_operation)";
  }
}
